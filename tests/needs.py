"""Marks of tests that need a program."""

import shutil

import pytest

NODE = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on the PATH")
