"""How text gets out: made plain, in words, whole on terminals, in files as a whole."""
