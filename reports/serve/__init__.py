"""The workbench: a page on which levels are drawn and played, and the server that answers its questions.

Each page has one web socket, and at most one question at a time (`tab`). A question goes to a warm worker process
(`pool`), which can be killed. `answers` and `positions` are the functions that run there.
"""
