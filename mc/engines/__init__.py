"""Engines decide reachability, one in each file; `registry` lists them, `portfolio` is `auto`, in stages."""
