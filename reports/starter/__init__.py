"""A puzzle to start from: its files, which are a working puzzle called `my_puzzle`, and what writes them."""
