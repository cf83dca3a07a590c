"""What systems do differently: memory, processes, signals, pages and files. All that only Linux has is used here.

Each module uses what the system offers, and has another way where that is missing, as on macOS or Windows.
"""
