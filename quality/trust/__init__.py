"""Can a score be trusted, and which model should work go to? The statistics of TRUST.md: arrays in, arrays out.

Nothing here knows a ledger, a file or a screen. `runs.py` says what goes in.
"""
