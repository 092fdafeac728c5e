"""Lines that each command can run, from which its inputs are made.

A word that begins with "@" is a file or folder of `fuzzed.made`; "{out}" is a place
where nothing is
yet. A line ends soon: work that takes seconds is asked for with what stops it, such as a model that
is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FAR = "http://127.0.0.1:9/w/"
"""An address at which nobody answers."""


@dataclass(frozen=True, slots=True)
class Command:
    """The lines of one command.

    Args:
        lines: that it can run, without its name.
        whole: the share of its inputs that are left as they are: small where a line takes long.
    """

    lines: tuple[str, ...]
    whole: float = 0.02


LINES: Mapping[str, Command] = {
    "analyze": Command(
        (
            "@articles/plain.txt --out {out} --jobs 1 --quiet",
            "@articles/rows.csv @articles/page.html --text text --out {out} --jobs "
            "1 --date-order dmy",
            "@articles/feed.rss --language de --schema @schema.toml --json --jobs 1",
        ),
        0.002,
    ),
    "serve": Command(
        (
            "--port 0 --no-history --schema bait",
            "--port 0 --history {out} --upload-limit 5 --timeout 60 --token abcdefgh12345678",
            "--host 0.0.0.0 --port 0 --detector @runs/majority --no-history",
        ),
        0.05,
    ),
    "run": Command(
        (
            "added/own --system majority --out {out} --quiet --jobs 1",
            "added/own --system lexicon,majority --out {out} --seeds 1,2 --set folds=3 --jobs 1",
            "added/own --system predictions:@given.csv --out {out} --param missing=fault --jobs 1",
        ),
        0.005,
    ),
    "score": Command(("@runs/majority", "@runs/random --json"), 0.01),
    "circuit": Command(
        (
            "@runs/majority --k 1,3 --draws 2 --sample 3 --resamples 100",
            "@runs/random --paper --jobs 1 --patching attribution --shares 0.1 --seed 3",
        )
    ),
    "compare": Command(
        (
            "@runs/majority @runs/random --resamples 100 --quiet",
            "@runs/majority @runs/random --out {out} --score accuracy --resamples 100 --json",
        ),
        0.01,
    ),
    "report": Command(
        ("@runs/majority --out {out}", "@bait --out {out}", "@associations --quiet"), 0.004
    ),
    "train": Command(
        (
            "added/own --system encoder:@corpus.txt --out {out} --epochs 1 --jobs 1",
            "added/own --system cascade --out {out} --distil @corpus.txt --sample 200 --seed 1",
        )
    ),
    "predict": Command(
        (
            "@runs/majority @corpus.txt --out {out}.parquet --jobs 1",
            "@detector @given.csv --text text --id id --out {out}.parquet --rows "
            "100 --sample 200 --jobs 1",
        )
    ),
    "explain": Command(
        (
            "@runs/majority --methods all --sample 3 --resamples 100 --jobs 1",
            "@runs/random --json --no-erase",
        )
    ),
    "systems": Command(("", "--json")),
    "demo": Command(("--out @bait --parts x", "--out @runs --parts detection,x --json")),
    "doctor": Command(("--json", ""), 0.002),
    "data export": Command(
        (
            "added/own --out {out}",
            "added/own --out {out} --preset clean --set folds=3",
            "added/own --with-folds --out {out}",
            "open/articles --out {out}",
        ),
        0.01,
    ),
    "data counts": Command(("mbib/072", "mbib/072 babe --json --preset official")),
    "data leaks": Command(("added/own --json", "added/own --set folds=3 --seed 2"), 0.01),
    "data list": Command(("--json", "", "--data @store"), 0.2),
    "data show": Command(("mbib/072", "mbib/110 --json", "babe", "mbib/racial-bias")),
    "data import": Command(
        (
            "mbib @published --data {out}",
            "vilbias @store --data {out} --json",
            "babe @texts.csv --data {out}",
        )
    ),
    "data fetch": Command(
        ("mbib/072 --data {out} --quiet", "babe --json", "vilbias --data @store")
    ),
    "data check": Command(("mbib/072 --json", "mbib/110", "babe vilbias --data @store"), 0.05),
    "data add": Command(
        (
            "new @given.csv --text text --label label --id id",
            "new @given.jsonl --text text --label label --task racial-bias "
            "--positive 1 --negative 0 --replace",
            "other @given.parquet --text text --label label --group id --marks marks --licence CC0",
            "pairs @pairs.jsonl --text text --label label --image image --images @images --id id",
        )
    ),
    "wiki dump": Command(
        (
            "@wiki.xml --out {out}.parquet",
            "@wiki.xml --out {out}.parquet --sample 2 --seed 1 --namespace 0",
        )
    ),
    "wiki crawl": Command(
        (
            f"{FAR} --out {{out}}.parquet --contact a@b.example --pause 0.5",
            f"{FAR}api.php --out {{out}}.parquet --format wikitext --sample 3 --seed 1 --quiet",
        )
    ),
    "embed train": Command(
        (
            "@texts.csv --out {out} --replicas 1 --dimensions 4 --epochs 1 "
            "--minimum 1000000 --jobs 1",
            "@corpus.txt --out {out} --seeds 1 --minimum 99999 --tokenizer regex "
            "--documents all --jobs 1",
        )
    ),
    "embed analogies": Command(
        (
            "@vectors.txt --questions @questions.txt",
            "@vectors.txt --questions @questions.txt --restrict 3 --json",
        )
    ),
    "embed neighbours": Command(
        ("x1 @vectors.txt --top 3", "x1 @vectors.txt @replicas --case exact --outside grams --json")
    ),
    "embed plant": Command(
        ("--out {out} --words 1000 --size 4 --seed 1", "--out {out} --words 1200 --json")
    ),
    "assoc run": Command(
        (
            "@vectors.txt --sets @lists.json --tests x/y:a/b --permutations 100 "
            "--resamples 0 --jobs 1 --quiet",
            "@replicas --sets @sets.json --tests one --permutations 100 "
            "--resamples 0 --out {out} --jobs 1",
            "@vectors.txt --sets @lists.json --tests x/y:a/b --method weatvec "
            "--strict --jobs 1 --resamples 0 --json",
        ),
        0.01,
    ),
    "annotate new": Command(
        (
            "@annotated/brat/articles --out {out} --annotators ann,ben",
            "@given.csv --out {out} --annotators ann --for label-studio --schema "
            "@schema.toml --seed 2 --json",
        )
    ),
    "annotate agree": Command(
        (
            "@packages/ann @packages/ben --resamples 100",
            "@annotated/jsonl/given/x.jsonl @annotated/doccano/given/x.jsonl "
            "--names a,b --resamples 100 --json",
            "@annotated/brat/given @annotated/ptc/given --articles "
            "@annotated/ptc/articles --out {out} --resamples 100",
        ),
        0.01,
    ),
    "annotate merge": Command(
        (
            "@packages/ann @packages/ben --out {out}",
            "@annotated/jsonl/given/x.jsonl @annotated/doccano/given/x.jsonl --out "
            "{out} --both overlap --least 0.6",
        )
    ),
    "annotate adjudicate": Command(
        (
            "@merged --out {out}",
            "@merged --out {out} --answers @merged/adjudication.csv --partial --json",
        )
    ),
    "annotate stats": Command(
        (
            "@annotated/jsonl/given/x.jsonl --json",
            "@annotated/brat/given --articles @annotated/brat/articles --format brat --schema bait",
        )
    ),
    "annotate convert": Command(
        (
            "@annotated/brat/given --to jsonl --out {out}.jsonl",
            "@annotated/label-studio/given/x.json --to brat --out {out} --from label-studio",
            "@annotated/webanno/given --to doccano --out {out}.jsonl --articles "
            "@annotated/webanno/articles",
        )
    ),
    "annotate sheet": Command(
        ("@vilbias --n 3 --seed 1 --out {out}.csv", "@vilbias --n 2 --json --out {out}.html")
    ),
    "bait run": Command(
        (
            "--data @bait/gold.jsonl --out {out} --baselines cues,most-frequent "
            "--shots 0 --estimate",
            "--data @bait/gold.jsonl --out {out} --model mockllm/model --estimate "
            "--shots 0,1 --draws 17 --prices @prices.json",
            "--data @bait/gold.jsonl --out {out} --baselines cues --shots 0 "
            "--zero-shot-runs 1 --quiet",
        ),
        0.005,
    ),
    "bait score": Command(
        (
            "@bait --jobs 1",
            "--gold @annotated/jsonl/given/x.jsonl --predictions "
            "@annotated/doccano/given/x.jsonl --json",
            "--gold @annotated/ptc/given --predictions @annotated/ptc/given "
            "--metric ptc-si --articles @annotated/ptc/articles",
        ),
        0.004,
    ),
    "bait local-model": Command(
        ("--port 1 --gguf @corpus.txt", "--context 512 --threads 1 --gguf @given.csv")
    ),
    "bait schema": Command(("--json", "--schema @schema.toml", "--schema ptc"), 0.05),
    "bait codebook": Command(("--out {out}", "--out {out} --schema @schema.toml"), 0.05),
    "vilbias run": Command(
        (
            "--model mockllm/model --data @pairs.jsonl --out {out} --estimate --items all",
            "--model mockllm/model --data @pairs.jsonl --out {out} --estimate "
            "--open --shots 0 --items all",
        ),
        0.005,
    ),
    "vilbias score": Command(
        ("@vilbias --resamples 100 --permutations 100", "@vilbias --recipe published --json"), 0.004
    ),
    "vilbias judge": Command(
        (
            "@vilbias --judge mockllm/model --estimate --samples 1",
            "@vilbias --judge mockllm/model --estimate --swaps",
        )
    ),
    "vilbias sheet": Command(
        ("@vilbias --n 3 --seed 1 --out {out}.csv", "@vilbias --n 2 --json --out {out}.html")
    ),
}
"""Every command of the tree, by its words."""
