"""Colours of objects: names in a palette, or hexadecimal numbers."""

import re

from puzzlemc.screens.puzzlescript.game import TRANSPARENT

COLOUR_NAMES = (
    "black",
    "white",
    "grey",
    "darkgrey",
    "lightgrey",
    "red",
    "darkred",
    "lightred",
    "brown",
    "darkbrown",
    "lightbrown",
    "orange",
    "yellow",
    "green",
    "darkgreen",
    "lightgreen",
    "blue",
    "lightblue",
    "darkblue",
    "purple",
    "pink",
)
USUAL = "arnecolors"

# Each palette has the colours of COLOUR_NAMES in this order. A game names a palette, or gives its place from 1.
_PALETTES = {
    "mastersystem": "000000 ffffff 555555 555500 aaaaaa ff0000 aa0000 ff5555 aa5500 550000 ffaa00 "
    "ff5500 ffff55 55aa00 005500 aaff00 5555aa aaffff 000055 550055 ffaaff",
    "gameboycolour": "000000 ffffff 7f7f7c 3e3e44 baa7a7 a7120c 880606 ba381f 57381f 3e2519 8e634b "
    "ba4b32 c0ba6f 517525 385d12 6f8e44 5d6fa7 8ea7a7 4b575d 3e3e44 ba381f",
    "amiga": "000000 ffffff bbbbbb 333333 ffeedd dd1111 990000 ff4422 663311 331100 aa6644 "
    "ff6644 ffdd66 448811 335500 88bb77 8899dd bbddee 666688 665555 997788",
    "arnecolors": "000000 ffffff 9d9d9d 697175 cccccc be2633 732930 e06f8b a46422 493c2b eeb62f "
    "eb8931 f7e26b 44891a 2f484e a3ce27 1d57f7 b2dcef 1b2632 342a97 de65e2",
    "famicom": "000000 ffffff 7c7c7c 080808 bcbcbc f83800 881400 f87858 ac7c00 503000 fce0a8 "
    "fca044 f8b800 00b800 005800 b8f8b8 0058f8 3cbcfc 0000bc 6644fc f878f8",
    "atari": "000000 ffffff 909090 404040 b0b0b0 a03c50 700014 dc849c 805020 703400 cb9870 "
    "ccac70 ecd09c 58b06c 006414 70c484 1c3c88 6888c8 000088 3c0080 b484dc",
    "pastel": "000000 ffffff 3e3e3e 313131 9cbcbc f56ca2 a63577 ffa9cf b58c53 787562 b58c53 "
    "eb792d ffe15f 00ff4f 2b732c 97c04f 0f88d3 00fffe 293a7b ff6554 eb792d",
    "ega": "000000 ffffff 555555 555555 aaaaaa ff5555 aa0000 ff55ff aa5500 aa5500 ffff55 "
    "ff5555 ffff55 00aa00 00aaaa 55ff55 5555ff 55ffff 0000aa aa00aa ff55ff",
    "amstrad": "000000 ffffff 7f7f7f 636363 afafaf ff0000 7f0000 ff7f7f ff7f00 7f7f00 ffff00 "
    "ff007f ffff7f 01ff00 007f00 7fff7f 0000ff 7f7fff 00007f 7f007f ff7fff",
    "proteus_mellow": "3d2d2e ddf1fc 9fb2d4 7b8272 a4bfda 9d5443 8c5b4a 94614c 89a78d 829e88 aaae97 "
    "d1ba86 d6cda2 75ac8d 8fa67f 8eb682 88a3ce a5adb0 5c6b8c d39fac c8ac9e",
    "proteus_rich": "6f686f d1b1e2 b9aac1 8e8b84 c7b5cd a11f4f 934765 c998ad 89867d 797f75 ab9997 "
    "ce8c5c f0d959 75bc54 599d79 90cf5c 8fd0ec bcdce7 0b2c70 9b377f cd88e5",
    "proteus_night": "010912 fdeeec 051d40 091842 062151 ad4576 934765 ab6290 61646b 3d2d2d 8393a0 "
    "0a2227 0a2541 75ac8d 0a2434 061f2e 0b2c79 809ccb 08153b 666a87 754b4d",
    "c64": "000000 ffffff 6c6c6c 444444 959595 68372b 3f1e17 9a6759 433900 221c02 6d5c0d "
    "6f4f25 b8c76f 588d43 345129 9ad284 6c5eb5 70a4b2 352879 6f3d86 b044ac",
    "whitingjp": "202527 eff8fd 7b7680 3c3b44 bed0d7 bd194b 6b1334 ef2358 b52e1c 681c12 e87b45 "
    "ff8c10 fbd524 36bc3c 317610 8ce062 3f62c6 57bbe0 2c2fa0 7037d9 ec2b8f",
}
_SPELLINGS = {"gray": "grey", "darkgray": "darkgrey", "lightgray": "lightgrey"}
_NUMBER = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")


def is_colour(word: str) -> bool:
    """Is a word in lower case a colour?"""
    word = _SPELLINGS.get(word, word)
    return word == TRANSPARENT or word in COLOUR_NAMES or _NUMBER.fullmatch(word) is not None


def palette_of(word: str) -> str | None:
    """Return the name of the palette that a name or a number from 1 stands for, None if there is none."""
    if word.isdecimal() and 1 <= int(word[:4]) <= len(_PALETTES):
        return list(_PALETTES)[int(word[:4]) - 1]
    return word if word in _PALETTES else None


def colour(word: str, palette: str) -> str:
    """Return "#rrggbb", or "transparent", for a word that is a colour."""
    word = _SPELLINGS.get(word, word)
    if word == TRANSPARENT:
        return word
    if word.startswith("#"):
        return word if len(word) == 7 else "#" + "".join(digit * 2 for digit in word[1:])
    return f"#{_PALETTES[palette].split()[COLOUR_NAMES.index(word)]}"
