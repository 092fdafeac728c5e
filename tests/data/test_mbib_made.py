"""Readers of data sets that are had on request, on small files in their documented columns."""

from __future__ import annotations

import json

import numpy as np
import pytest

from slant.data import mbib_articles
from slant.data.mbib import READERS
from slant.data.sources import Source
from slant.data.tables import dataset_table, export_csv
from slant.errors import DataError

ALL = {
    "003", "009", "010", "012", "019", "025", "026", "029", "035", "038", "040",
    "049", "066", "072", "075", "076", "087", "092", "105", "106", "107", "110",
}  # fmt: skip


def made(tmp_path, number, files, form="raw"):
    paths = []
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(path)
    return Source(number, form, tmp_path, tuple(paths), "complete", (), "")


def table(source, preset):
    cleaning = "official" if preset == "official" else "minimal"
    return dataset_table(READERS[source.dataset](source, preset), source.dataset, preset, cleaning)


def csv_of(source):
    return export_csv(table(source, "official"), source.dataset, "official").splitlines()


def rows(source, preset, *columns):
    return table(source, preset).select(columns).rows()


def message(source, preset):
    with pytest.raises(DataError) as caught:
        table(source, preset)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_all_22_data_sets_have_a_reader():
    assert set(READERS) == ALL


def pheme(tmp_path, annotations, folder="source-tweets"):
    files = {}
    for place, annotation in annotations.items():
        own = place.rpartition("/")[2]
        files[f"raw/{place}/annotation.json"] = annotation
        tweet = {"text": f"tweet {own}", "id": int(own)}
        (tmp_path / f"raw/{place}/{folder}").mkdir(parents=True)
        (tmp_path / f"raw/{place}/{folder}/{own}.json").write_text(json.dumps(tweet))
    return made(tmp_path, "012", files)


def test_pheme_official_ignores_misinformation_and_clean_reads_both_fields(tmp_path):
    source = pheme(
        tmp_path,
        {
            "b/non-rumours/1": {"is_rumour": "nonrumour"},
            "b/rumours/2": {"misinformation": "1", "true": "0"},
            "b/rumours/3": {"misinformation": 0, "true": 1},
            "b/rumours/4": {"misinformation": 0, "true": "0"},
            "b/rumours/5": {"misinformation": 1},
            "b/rumours/6": {"misinformation": 1, "true": 1},
            "a/rumours/7": {},
        },
    )
    # Topics in order, non-rumours before rumours; true 0 -> 1, true 1 -> 0, absent -> 2.
    assert csv_of(source) == [
        "index,tweetID,text,label,rumour,id",
        "0,7,tweet 7,2,1,0",
        "0,1,tweet 1,0,0,1",
        "0,2,tweet 2,1,1,2",
        "1,3,tweet 3,0,1,3",
        "2,4,tweet 4,1,1,4",
        "3,5,tweet 5,2,1,5",
        "4,6,tweet 6,0,1,6",
    ]
    assert rows(source, "clean", "id", "label", "left_out") == [
        ("012-7", None, "unverified"),
        ("012-1", 0, None),
        ("012-2", 1, None),
        ("012-3", 0, None),
        ("012-4", None, "unverified"),
        ("012-5", 1, None),
        ("012-6", None, "contradictory annotation"),
    ]


def test_pheme_threads_of_the_sister_corpus_read_alike_and_odd_values_are_named(tmp_path):
    source = pheme(tmp_path, {"a/rumours/1": {"true": 1}}, folder="source-tweet")
    assert rows(source, "clean", "text", "label") == [("tweet 1", 0)]
    source = pheme(tmp_path / "x", {"a/rumours/2": {"true": "maybe"}})
    assert "'true' is 'maybe', neither 0 nor 1" in message(source, "clean")


@pytest.mark.parametrize(("index", "rumour"), [("0.5", "1"), ("0", "")])
def test_a_processed_row_of_pheme_with_another_number_is_named(tmp_path, index, rumour):
    head = "index,tweetID,text,label,rumour,id\n0,7,tweet 7,2,1,0\n"
    content = f"{head}{index},8,tweet 8,0,{rumour},1\n"
    source = made(tmp_path, "012", {"p.csv": content}, form="processed")
    assert "row 2 has the " in (said := message(source, "clean"))
    assert "no whole number" in said


def test_a_deleted_tweet_is_no_official_row_and_is_left_out_in_clean(tmp_path):
    source = made(
        tmp_path,
        "012",
        {"raw/a/rumours/9/annotation.json": {"true": 1}, "raw/a/non-rumours/8/annotation.json": {}},
    )
    (tmp_path / "raw/a/non-rumours/8/source-tweets").mkdir()
    (tmp_path / "raw/a/non-rumours/8/source-tweets/8.json").write_text('{"text": "x"}')
    assert rows(source, "official", "id") == [("012-8",)]
    assert rows(source, "clean", "id", "left_out") == [("012-8", None), ("012-9", "no text")]


def test_wnc_gives_two_rows_a_line_and_makes_them_a_pair(tmp_path):
    lines = [
        "1\ta b\ta c\tHe claims \xe9\tHe says \xe9\tx\ty",
        "2\ta\ta\tSame.\tSame.\tx\ty",
    ]
    source = made(tmp_path, "026", {"raw/biased.full": "\n".join(lines).encode("latin-1")})
    assert csv_of(source) == [
        "id,text,label",
        "0-A,He claims ,1",
        "0-B,He says ,0",
        "1-A,Same ,1",
        "1-B,Same ,0",
    ]
    assert rows(source, "clean", "pair", "label", "left_out") == [
        ("0", None, "damaged"),
        ("0", None, "damaged"),
        ("1", None, "no edit"),
        ("1", None, "no edit"),
    ]


def test_semeval_joins_training_and_test_and_takes_paragraphs_with_nested_text(tmp_path):
    def articles(own, body):
        return f'<?xml version="1.0"?><articles><article id="{own}" title="t">{body}</article></articles>'

    def truth(own, value):
        return f'<articles><article id="{own}" hyperpartisan="{value}"/></articles>'

    source = made(
        tmp_path,
        "029",
        {
            "raw/articles-test-byarticle-20181207.xml": articles(1, "<p>T</p>"),
            "raw/articles-training-byarticle-20181122.xml": articles(
                1, "out <p>A <a href='x'>link</a> &amp; b</p><p></p>"
            ),
            "raw/ground-truth-test-byarticle-20181207.xml": truth(1, "false"),
            "raw/ground-truth-training-byarticle-20181122.xml": truth(1, "true"),
        },
    )
    assert csv_of(source) == ["id,text,label", "1-0,A link b,1", "1-1,,1", "1-0,T,0"]
    assert rows(source, "clean", "id", "text", "label", "article") == [
        ("029-1-0", "A link & b", 1, "1"),
        ("029-1-1", "", None, "1"),
        ("029-test-1-0", "T", 0, "test-1"),
    ]


def test_an_article_without_label_is_dropped_in_official_and_left_out_in_clean(tmp_path):
    source = made(
        tmp_path,
        "029",
        {
            "raw/articles-training-x.xml": "<a><article id='1'><p>x</p></article><article id='2'><p>y</p></article></a>",
            "raw/ground-truth-training-x.xml": "<a><article id='2' hyperpartisan='false'/></a>",
        },
    )
    assert rows(source, "official", "id") == [("029-2-0",)]
    assert rows(source, "clean", "id", "left_out") == [("029-1-0", "no label"), ("029-2-0", None)]


def test_media_frames_cuts_eighteen_characters_and_reads_the_tone(tmp_path):
    def entry(text, tone):
        return {"text": "123456789012345678" + text, "primary_tone": tone}

    source = made(
        tmp_path,
        "035",
        {
            "raw/mfc_v4.0/immigration/immigration_labeled.json": {
                "immigration-1": entry("for", 17.0),
                "immigration-2": entry("none", 0),
                "immigration-3": entry("plain", 18),
                "immigration-4": entry("against", 19.4),
                "immigration-5": entry("null", None),
            },
            "raw/mfc_v4.0/smoking/smoking_labeled.json": {"7": entry("anti", 19.0)},
            "codes.json": {"17.0": "pro"},
        },
    )
    # 19.4 is not the whole number that the script asks for.
    assert csv_of(source) == ["id,text,label", "0,for,1", "1,plain,0", "2,anti,1"]
    assert rows(source, "clean", "id", "label", "left_out") == [
        ("035-immigration-1", 1, None),
        ("035-immigration-2", None, "no tone"),
        ("035-immigration-3", 0, None),
        ("035-immigration-4", 1, None),
        ("035-immigration-5", None, "no tone"),
        ("035-smoking-7", 1, None),
    ]


def test_jigsaw_is_toxic_from_one_half_and_a_missing_text_is_the_word_nan(tmp_path):
    text = 'id,comment_text,toxicity\n7,"two\nlines",0.5\n8,,0.4999\n9,NA,1.0\n'
    source = made(tmp_path, "040", {"raw/all_data.csv": text})
    assert csv_of(source) == [
        "text,label,label_float,id",
        "two lines,1,0.5,0",
        "nan,0,0.4999,1",
        "nan,1,1.0,2",
    ]
    assert rows(source, "clean", "id", "text", "left_out") == [
        ("040-7", "two lines", None),
        ("040-8", "", "blank"),
        ("040-9", "NA", None),
    ]
    source = made(tmp_path, "040", {"raw/train.csv": "id,target,comment_text\n1,0.9,a\n2,x,b\n"})
    assert "row 3 has the target 'x'" in message(source, "clean")
    source = made(tmp_path, "040", {"raw/train.csv": "id,comment_text\n1,a\n"})
    assert "no column 'toxicity'" in message(source, "clean")


def test_usvsthem_official_needs_the_file_on_request(tmp_path):
    encoded = "body,is_Disc_Crit_encoded,usVSthem_scale\nthey take it all,1,0.75\nfine,0,0\n"
    source = made(tmp_path, "049", {"raw/Reddit_dataset.csv": encoded})
    assert csv_of(source) == [
        "text,label,usVSthem_scale,id",
        "they take it all,1,0.75,0",
        "fine,0,0.0,1",
    ]
    public = "body,group,is_Disc_Crit,bias\nx,Refugees,True,right\ny,Jews,False,left\n"
    source = made(tmp_path, "049", {"raw/public.csv": public})
    assert "no column 'is_Disc_Crit_encoded'" in message(source, "official")
    assert rows(source, "clean", "label", "topic", "leaning") == [
        (1, "Refugees", "right"),
        (0, "Jews", "left"),
    ]


def bignews(tmp_path):
    sides = {"center": ["c"], "left": ["l", "NA", ""], "right": ["r", "s", "t"]}
    files = {
        f"raw/BIGNEWSBLN_train_{side}.json": [
            {"text": [f"{letter}{n}" if letter not in ("NA", "") else letter for n in range(2)]}
            for letter in letters
        ]
        for side, letters in sides.items()
    }
    return made(tmp_path, "066", files)


def test_bignews_takes_every_sentence_where_fewer_than_the_draw_exist(tmp_path):
    lines = csv_of(bignews(tmp_path))
    # Texts that pandas reads as missing (NA and nothing) are empty cells; articles count through.
    assert lines[:7] == [
        "id,text,label,category",
        "0-0,c0,0,0",
        "0-1,c1,0,0",
        "1-0,l0,1,1",
        "1-1,l1,1,1",
        "2-0,,1,1",
        "2-1,,1,1",
    ]
    assert lines[9:] == [f"{4 + n // 2}-{n % 2},{'rst'[n // 2]}{n % 2},1,2" for n in range(6)]
    frame = table(bignews(tmp_path), "clean")
    assert frame.filter(frame["left_out"] == "blank").height == 2
    assert frame["leaning"].to_list() == ["center"] * 2 + ["left"] * 6 + ["right"] * 6


def test_bignews_draws_each_label_with_random_state_42_in_drawn_order(tmp_path, monkeypatch):
    whole = [line.split(",")[0] for line in csv_of(bignews(tmp_path))[1:]]
    monkeypatch.setattr(mbib_articles, "_PER_LABEL", 2)
    # Two sentences are labelled 0, twelve are labelled 1; two of each are drawn.
    drawn = np.random.RandomState(42).choice(12, size=2, replace=False)
    expected = [*whole[:2], *(whole[2 + n] for n in drawn)]
    assert [line.split(",")[0] for line in csv_of(bignews(tmp_path))[1:]] == expected
    assert sorted(table(bignews(tmp_path), "clean")["official_id"].to_list()) == sorted(expected)


def test_bignews_without_a_list_of_sentences_names_the_article(tmp_path):
    files = {f"raw/BIGNEWSBLN_train_{side}.json": [{"text": ["a"]}] for side in ("center", "left")}
    source = made(tmp_path, "066", files | {"raw/BIGNEWSBLN_train_right.json": [{"text": "a"}]})
    assert "article 0 has no list of sentences" in message(source, "clean")


HEAD = "id\tinfo_id\ti\ts\tp\tl\tinfo_thread.id\to\tim\tannotation_Primary\tmeta_text\n"


def cad(*lines):
    return HEAD + "".join(
        f"{n}\tx\tx\tx\tx\tx\tthread{n // 2}\tx\tx\t{kind}\t{text}\n"
        for n, (kind, text) in enumerate(lines)
    )


def test_cad_counts_counter_speech_as_abuse_in_official_alone(tmp_path):
    text = cad(
        ("Neutral", "a[linebreak]b"),
        ("CounterSpeech", "stop it"),
        ("Slur", "http://t.co/x"),
        ("Slur", 'one "quote'),
    )
    source = made(tmp_path, "076", {"raw/cad_v1_1.tsv": text})
    # The third text cleans to one space and is dropped; its number is not given again.
    assert csv_of(source) == [
        "id,text,label,category",
        "0,a  b ,0,0",
        "1,stop it ,1,5",
        "3,one quote ,1,2",
    ]
    assert rows(source, "clean", "text", "label", "left_out", "article") == [
        ("a b", 0, None, "thread0"),
        ("stop it", 0, None, "thread0"),
        ("", None, "blank", "thread1"),
        ('one "quote', 1, None, "thread1"),
    ]
    source = made(tmp_path, "076", {"raw/cad_v1_1.tsv": cad(("Odd", "x"))})
    assert "row 2 has the label 'Odd'" in message(source, "official")


def test_harassment_finds_the_code_in_two_places_and_counts_lines_without_one(tmp_path):
    lines = [
        "id\tcode\ttweet",
        "1\tH\tyou",
        "2\t\tN\tx\ty\tfive",
        "3\tQ\t?",
        "4\tN\tme",
        "5",
        "6\tH",
        "7\tx\tH\ta\tb",
    ]
    source = made(tmp_path, "087", {"raw/onlineHarassmentDataset.tdf": "\n".join(lines)})
    assert csv_of(source) == ["id,text,label", "0,you ,1", "1,five ,0", "3,me ,0"]
    assert rows(source, "clean", "text", "label", "source_label") == [
        ("you", 1, "H"),
        ("five", 0, "N"),
        ("me", 0, "N"),
    ]


def test_a_post_of_hatexplain_that_nobody_labelled_has_no_majority(tmp_path):
    posts = {"1_twitter": {"annotators": [], "post_tokens": ["a", "b"]}}
    source = made(tmp_path, "092", {"raw/dataset.json": posts})
    assert rows(source, "clean", "label", "left_out") == [(None, "no majority")]


def test_hatexplain_takes_the_majority_of_three(tmp_path):
    def post(*votes):
        return {"annotators": [{"label": v} for v in votes], "post_tokens": ["<user>", "a", "b"]}

    source = made(
        tmp_path,
        "092",
        {
            "raw/dataset.json": {
                "1_twitter": post("hatespeech", "normal", "hatespeech"),
                "2_gab": post("offensive", "offensive", "normal"),
                "3_gab": post("hatespeech", "offensive", "normal"),
            }
        },
    )
    assert csv_of(source) == [
        "text,label,category,id",
        " user a b,1,1,0",
        " user a b,0,2,1",
        " user a b,0,3,2",
    ]
    assert rows(source, "clean", "id", "text", "label", "left_out") == [
        ("092-1_twitter", "a b", 1, None),
        ("092-2_gab", "a b", 0, None),
        ("092-3_gab", "a b", None, "no majority"),
    ]


def test_rtgender_joins_without_a_space_in_official_and_with_one_in_clean(tmp_path):
    text = (
        "source,op_gender,post_text,response_text,sentiment,relevance\n"
        "reddit,W,My cat,Nice,Positive,Poster\nted,M,My cat,Ok,Neutral,Content\nfb,W,,Bad,Mixed,x\n"
    )
    source = made(tmp_path, "105", {"raw/annotations.csv": text})
    assert csv_of(source) == [
        "id,text,label,category,source,op_gender,relevance",
        "1,My catNice,1,Positive,reddit,W,Poster",
        "2,My catOk,0,Neutral,ted,M,Content",
        "3, NA ,1,Mixed,fb,W,x",
    ]
    assert rows(source, "clean", "text", "article") == [
        ("My cat Nice", "post-0"),
        ("My cat Ok", "post-0"),
        ("Bad", None),
    ]
    bad = made(tmp_path, "105", {"raw/annotations.csv": text.replace("Mixed", "Meh")})
    assert "row 4 has the label 'Meh'" in message(bad, "official")


def test_cmsb_pairs_are_named_after_the_row_they_go_back_to(tmp_path):
    text = "id,dataset,text,toxicity,sexist,of_id\n0,other,a,0.1,True,-1\n1,other,b,0.2,False,-1\n2,callme,c,8.5e-05,False,0\n"
    source = made(tmp_path, "107", {"raw/sexism_data.csv": text})
    assert csv_of(source)[1:] == ["1,a,1,0.1", "2,b,0,0.2", "3,c,0,8.5e-05"]
    assert rows(source, "clean", "pair") == [("0",), (None,), ("0",)]
    swallowed = text.replace("a,0.1,True,-1\n", '"a,0.1,True,-1\n').replace("c,8.5", 'c",8.5')
    source = made(tmp_path, "107", {"raw/sexism_data.csv": swallowed})
    assert "record 1" in message(source, "clean")
    assert "quotes swallow lines" in message(source, "clean")


def test_liar_with_an_unknown_verdict_or_too_few_fields_names_the_line(tmp_path):
    line = "1.json\t{}\tclaim\ttopic\n"
    source = made(tmp_path, "072", {"raw/train.tsv": line.format("true") + line.format("maybe")})
    assert "row 2 has the label 'maybe'" in message(source, "official")
    source = made(tmp_path, "072", {"raw/train.tsv": line.format("true") + "2.json\ttrue\n"})
    assert "line 2 has 2 tab-separated fields" in message(source, "clean")
    source = made(tmp_path, "072", {"raw/other.tsv": line.format("true")})
    assert "there is no file" in message(source, "clean")


def test_basil_in_clean_has_every_sentence_and_its_label(tmp_path):
    article = {
        "title": "Big day",
        "source": "NYT",
        "body-paragraphs": [["One.", "Two."], ["Three."]],
    }
    span = {"txt": "wo", "bias": "lex", "quote": "no", "aim": "dir"}
    marks = {"phrase-level-annotations": [span | {"id": "p1"}, span | {"id": "p1", "bias": "inf"}]}
    files = {"raw/articles/2010/x_1.json": article, "raw/annotations/2010/x_1_ann.json": marks}
    source = made(tmp_path, "009", files)
    assert rows(source, "clean", "id", "text", "label", "source_label") == [
        ("009-x_1-title", "Big day", 0, "none"),
        ("009-x_1-p0", "One.", 0, "none"),
        ("009-x_1-p1", "Two.", 1, "inf+lex"),
        ("009-x_1-p2", "Three.", 0, "none"),
    ]
    assert rows(source, "official", "text", "label") == [("Two ", 1), ("Two ", 1)]
    alone = made(tmp_path, "009", {"raw/articles/2010/x_1.json": article})
    assert "there is no file '*_ann.json'" in message(alone, "clean")
    marks["phrase-level-annotations"][0]["id"] = "p9"
    astray = made(tmp_path, "009", files | {"raw/annotations/2010/x_1_ann.json": marks})
    assert "a span points at 'p9'" in message(astray, "official")


ODD = [
    ("009", "raw/articles/2010/x_1.json", {"raw/annotations/2010/x_1_ann.json": "{}"}),
    ("012", "raw/a/rumours/2/annotation.json", {}),
    ("025", "raw/Data/B/FakeNewsContent/f.json", {}),
    ("035", "raw/m/immigration/immigration_labeled.json", {}),
    ("092", "raw/dataset.json", {}),
]


@pytest.mark.parametrize("content", ["[null]", '"x"', "1e999", '{"a": [1]}', "[" * 9999])
@pytest.mark.parametrize(("number", "name", "more"), ODD)
def test_json_that_is_not_built_as_published_names_its_file(tmp_path, number, name, more, content):
    if (number, content) == ("012", '{"a": [1]}'):
        content = "[1]"  # an annotation without its keys is an unverified rumour
    source = made(tmp_path, number, {name: content, **more})
    said = message(source, "clean")
    assert name.rpartition("/")[2] in said
    assert "not built as published" in said or "no JSON" in said


def test_files_of_unequal_length_and_columns_that_stand_twice_are_named(tmp_path):
    files = {"pre.train": "a\nb\n", "post.train": "a\n"}
    assert "pre.train has 2 lines, post.train 1" in message(
        made(tmp_path, "026", files, "pre_post"), "clean"
    )
    twice = "source,op_gender,post_text,response_text,sentiment,relevance,sentiment\n"
    source = made(
        tmp_path / "b", "105", {"raw/annotations.csv": twice + "a,W,x,y,Neutral,Poster,z\n"}
    )
    assert "the column 'sentiment' is there 2 times" in message(source, "clean")


def test_an_empty_file_of_a_data_set_has_no_record(tmp_path):
    for n, (number, name, content) in enumerate(
        [
            ("092", "raw/d.json", "{}"),
            ("076", "raw/cad_v1_1.tsv", "x"),
            ("035", "raw/x_labeled.json", "{}"),
        ]
    ):
        source = made(tmp_path / str(n), number, {name: content})
        said = message(source, "clean")
        assert "there is no record" in said or "no rows" in said
