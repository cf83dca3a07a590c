"""Puzzles as environments of Gymnasium; `docs/gym.md` describes them. Its users import `puzzlemc.gym`."""
