from puzzlemc.mc.nearest import nearest

ENGINES = ("auto", "forward", "backward", "bidirectional")


def test_the_words_that_are_like_one_are_named_nearest_first() -> None:
    assert nearest("forwrd", ENGINES) == "; nearest: forward"
    assert nearest("wards", ("inwards", "words", "ward")) == "; nearest: ward, inwards, words"
    assert nearest("FORWARD", ENGINES).startswith("; nearest: forward")


def test_nothing_is_named_if_no_word_is_like_it() -> None:
    assert nearest("xyz", ENGINES) == ""
    assert nearest("", ENGINES) == ""
    assert nearest("auto", ()) == ""


def test_a_part_of_the_words_may_be_compared() -> None:
    assert nearest("no.xsb", ("good.xsb",)) == "; nearest: good.xsb"
    assert nearest("no.xsb", ("good.xsb",), lambda each: each.partition(".")[0]) == ""
