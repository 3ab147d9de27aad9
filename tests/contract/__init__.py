"""The contract as a whole: its numbered lines and the original's faults, each held by a test."""
