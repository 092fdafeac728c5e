"""Small randomly initialised checkpoints of each architecture, and texts that they can learn."""

from __future__ import annotations

from pathlib import Path

from slant.types import NO, YES, Example, Fold, Item

HARSH = ["corrupt", "regime", "lied", "vicious", "radical", "mob", "shocking", "fake"]
CALM = ["council", "met", "monday", "rain", "north", "train", "left", "time"]
FILLER = ["the", "a", "on", "in", "was", "and", "of", "to", ".", "!"]
WORDS = [*HARSH, *CALM, *FILLER]

SIZE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 66,
}
CONFIGS = {
    "bert": ("BertConfig", SIZE),
    "roberta": ("RobertaConfig", SIZE),
    "electra": ("ElectraConfig", {**SIZE, "embedding_size": 32}),
    "convbert": ("ConvBertConfig", {**SIZE, "embedding_size": 32, "conv_kernel_size": 3}),
    "deberta-v2": (
        "DebertaV2Config",
        {
            **SIZE,
            "relative_attention": True,
            "pos_att_type": ["p2c", "c2p"],
            "position_buckets": 16,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
            "position_biased_input": False,
            "type_vocab_size": 0,
        },
    ),
    "modernbert": (
        "ModernBertConfig",
        {
            **SIZE,
            "bos_token_id": None,
            "eos_token_id": None,
            "global_attn_every_n_layers": 2,
            "local_attention": 16,
        },
    ),
    "distilbert": (
        "DistilBertConfig",
        {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64, "max_position_embeddings": 66},
    ),
    "mpnet": ("MPNetConfig", SIZE),
    "bart": (
        "BartConfig",
        {
            "d_model": 32,
            "encoder_layers": 2,
            "decoder_layers": 2,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
            "encoder_ffn_dim": 64,
            "decoder_ffn_dim": 64,
            "max_position_embeddings": 66,
        },
    ),
    "gpt2": ("GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 66}),
}


def tiny_tokenizer(kind, extra=()):
    """A word tokenizer as the family has it: GPT-2's without padding, the others' with frames."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    names = {"unk_token": "[UNK]"}
    if kind == "gpt2":
        names["eos_token"] = "<|endoftext|>"
    elif kind in ("bart", "roberta", "mpnet"):
        # Padding has the id 1 there, and RoBERTa and MPNet count their positions from 2 on.
        names = {
            "bos_token": "<s>",
            "pad_token": "<pad>",
            "eos_token": "</s>",
            "unk_token": "<unk>",
        }
        names |= {"cls_token": "<s>", "sep_token": "</s>"}
    else:
        names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]"}
        names |= {"sep_token": "[SEP]", "mask_token": "[MASK]"}
    own = Tokenizer(models.WordLevel(unk_token=names["unk_token"]))
    own.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = list(dict.fromkeys(names.values()))
    trainer = trainers.WordLevelTrainer(special_tokens=special, show_progress=False)
    own.train_from_iterator([" ".join([*WORDS, *extra])], trainer)
    if "cls_token" in names:
        cls, sep = names["cls_token"], names["sep_token"]
        ids = [(token, own.token_to_id(token)) for token in (cls, sep)]
        own.post_processor = processors.TemplateProcessing(f"{cls} $A {sep}", special_tokens=ids)
    return PreTrainedTokenizerFast(tokenizer_object=own, **names)


def save_tiny(folder: Path, kind: str, weights: bool = True, **changed) -> Path:
    """A checkpoint of two layers and 32 dimensions, its weights drawn from one seed."""
    import torch
    import transformers

    tokenizer = tiny_tokenizer(kind)
    name, size = CONFIGS[kind]
    ids = {
        f"{part}_token_id": getattr(tokenizer, f"{part}_token_id")
        for part in ("pad", "bos", "eos", "cls", "sep")
        if getattr(tokenizer, f"{part}_token_id") is not None
    }
    if kind == "bart":
        ids |= {"decoder_start_token_id": ids["eos_token_id"]}
    config = getattr(transformers, name)(**{"vocab_size": len(tokenizer), **size, **ids, **changed})
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = transformers.AutoModel.from_config(config)
    if weights:
        model.save_pretrained(folder)
    else:
        config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def save_tiny_classifier(folder: Path, kind: str, labels, **changed) -> Path:
    """A checkpoint with a head of these labels, none of its weights 0."""
    import torch
    import transformers

    save_tiny(folder, kind)
    config = transformers.AutoConfig.from_pretrained(folder)
    config.num_labels = len(labels)
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: number for number, label in enumerate(labels)}
    for name, value in changed.items():
        setattr(config, name, value)
    if config.pad_token_id is None:
        config.pad_token_id = config.eos_token_id
    with torch.random.fork_rng():
        torch.manual_seed(2)
        model = transformers.AutoModelForSequenceClassification.from_config(config)
        for weights in model.parameters():
            weights.data += torch.randn_like(weights) * 0.3
    model.save_pretrained(folder)
    return folder


def toy_examples(n, start=0):
    """Every second text is biased, and only its words tell."""
    made = []
    for i in range(start, start + n):
        words = (HARSH, CALM)[i % 2]
        text = " ".join(
            [FILLER[i % 8], words[i % 8], words[(i * 3 + 1) % 8], FILLER[(i + 3) % 8]] * (1 + i % 3)
        )
        made.append(Example(Item(f"{i:03}", text, group="a"), (YES, NO)[i % 2]))
    return made


def toy_fold(train=24, dev=8, test=12):
    made = toy_examples(train + dev + test)
    return Fold(made[:train], made[train : train + dev], [e.item for e in made[train + dev :]])
