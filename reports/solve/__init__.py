"""One level from its text to a result: verdict, replayed trace, bound and reasons."""
