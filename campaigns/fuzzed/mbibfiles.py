"""Small files of the data sets of MBIB in their documented columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LINES38 = ",".join(["id_article", *map(str, range(20)), *(f"s{n}" for n in range(20))])
SCORE = {"avg": 1.2, "maj": 1.0}
SENTENCE = {
    "id": "7-0",
    "content": "A sentence \\ud83d.",
    "subjectivity": {"score": SCORE},
    "hidden_assumptions": {"score": SCORE},
    "bias": {"score": {"pro-west": SCORE, "pro-russia": SCORE}},
}
POST = {
    "annotators": [{"label": one} for one in ("hatespeech", "normal", "hatespeech")],
    "post_tokens": ["<user>", "a", "b"],
}
CAD = "id\tinfo_id\ti\ts\tp\tl\tinfo_thread.id\to\tim\tannotation_Primary\tmeta_text\n"
REDDIT = "id,comment,bias_sent,phrase\na1,They are so.,1,so\na2,No.,0,\na3,Well,2,x\n"
CLEAN_ALONE = ("pre_post", "source_tweets", "cad_test", "public")
"""Forms that the official rules do not cover."""
SPAN = {"id": "p1", "txt": "wo", "bias": "lex", "quote": "no", "aim": "dir"}
ARTICLE = {"title": "Big day", "source": "NYT", "body-paragraphs": [["One.", "Two."], ["Three."]]}
THREAD = "raw/a/rumours/2"

MBIB: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]] = {
    "003": [
        (
            "raw",
            {
                f"raw/statements_{name}": "One said it.\nTwo did??not.\n"
                for name in (
                    "biased",
                    "neutral_type_balanced",
                    "neutral_featured",
                    "neutral_cw-hard",
                )
            },
        )
    ],
    "009": [
        (
            "raw",
            {
                "raw/articles/2010/x_1.json": ARTICLE,
                "raw/annotations/2010/x_1_ann.json": {"phrase-level-annotations": [SPAN, SPAN]},
            },
        )
    ],
    "012": [
        (
            "raw",
            {
                f"{THREAD}/annotation.json": {"misinformation": "1", "true": "0"},
                f"{THREAD}/source-tweets/2.json": {"text": "tweet 2", "id": 2},
            },
        ),
        (
            "processed",
            {"p.csv": "index,tweetID,text,label,rumour,id\n0,7,tweet,2,1,0\n0,1,t,1,0,1\n"},
        ),
        ("source_tweets", {"a.json": [{"VERACITY": "false", "id_str": "1", "text": "A tweet"}]}),
    ],
    "019": [("raw", {"raw/article_7.json": {"sentences": [SENTENCE, SENTENCE | {"id": "7-1"}]}})],
    "025": [
        (
            "raw",
            {
                "raw/Data/BuzzFeed/FakeNewsContent/f_1.json": {"type": "fake", "text": "One. Two!"},
                "raw/Data/PolitiFact/RealNewsContent/r_1.json": {"type": "real", "text": "Three."},
            },
        )
    ],
    "026": [
        (
            "raw",
            {"raw/biased.full": "1\ta b\ta c\tHe claims.\tHe says.\tx\ty\n2\ta\ta\tS.\tS.\tx\ty"},
        ),
        ("pre_post", {"pre.train": "He claims .\nA .\n", "post.train": "He says .\nA .\n"}),
    ],
    "029": [
        (
            "raw",
            {
                "raw/articles-training-x.xml": "<a><article id='1'><p>x <b>y</b></p></article></a>",
                "raw/ground-truth-training-x.xml": "<a><article id='1' hyperpartisan='true'/></a>",
            },
        )
    ],
    "035": [
        (
            "raw",
            {
                "raw/m/immigration/immigration_labeled.json": {
                    "immigration-1": {"text": "123456789012345678for", "primary_tone": 17.0},
                    "immigration-2": {"text": "123456789012345678no", "primary_tone": None},
                }
            },
        )
    ],
    "038": [
        (
            "raw",
            {
                "raw/Sora_LREC2020_biasedsentences.csv": "\n".join(
                    [LINES38, *(f"{n}" + ",2" * 20 + ",[0]: Some text." * 20 for n in (1, 1, 2))]
                )
            },
        )
    ],
    "040": [
        (
            "raw",
            {"raw/all_data.csv": 'id,comment_text,toxicity\n7,"two\nl",0.5\n8,,0.4\n9,NA,1.0\n'},
        )
    ],
    "049": [
        (
            "raw",
            {
                "raw/Reddit_dataset.csv": "body,is_Disc_Crit_encoded,usVSthem_scale\n"
                "they,1,0.75\nf,0,0\n"
            },
        ),
        (
            "public",
            {
                "raw/public.csv": "body,group,is_Disc_Crit,bias\n"
                "x,Refugees,True,right\ny,Jews,False,left\n"
            },
        ),
    ],
    "066": [
        (
            "raw",
            {
                f"raw/BIGNEWSBLN_train_{side}.json": [
                    {"text": [f"{side} one", "two"]},
                    {"text": ["x"]},
                ]
                for side in ("center", "left", "right")
            },
        )
    ],
    "072": [("raw", {"raw/train.tsv": "1.json\ttrue\tclaim\ttopic\n2.json\tfalse\tother\tt\n"})],
    "075": [
        (
            "raw",
            {
                f"raw/reddit_comments_{part}_processed_phrase_annotated.csv": REDDIT
                for part in ("gender_female", "race_black", "religion1_jews")
            },
        )
    ],
    "076": [
        (
            "raw",
            {
                "raw/cad_v1_1.tsv": CAD
                + "0"
                + "\tx" * 8
                + "\tNeutral\tA text.\n1"
                + "\tx" * 8
                + "\tSlur\tB.\n"
            },
        ),
        ("cad_test", {"cad.json": [["A text", "hatespeech"], ["B", "normal"]]}),
    ],
    "087": [("raw", {"raw/o.tdf": "id\tcode\ttweet\n1\tH\tyou\n2\t\tN\tx\ty\tfive\n3\tN\tme\n"})],
    "092": [
        ("raw", {"raw/dataset.json": {"1_twitter": POST, "2_gab": POST}}),
        ("processed", {"p.csv": ",text,label,category\n1_gab,A,1,0\n2_twitter,B,0,1\n"}),
    ],
    "105": [
        (
            "raw",
            {
                "raw/annotations.csv": "source,op_gender,post_text,response_text,sentiment,"
                "relevance\n"
                "reddit,W,My cat,Nice,Positive,Poster\nted,M,My cat,Ok,Neutral,Content\n"
            },
        )
    ],
    "107": [
        (
            "raw",
            {
                "raw/s.csv": "id,dataset,text,toxicity,sexist,of_id\n0,other,a,0.1,True,-1\n"
                "1,other,b,0.2,False,-1\n2,callme,c,8.5e-05,False,0\n"
            },
        )
    ],
    "110": [
        ("raw", {"raw/groundTruth.csv": "Tweet,Type of Racism,Polarity\nA tweet,1,0\nB,4,2\n"})
    ],
}
