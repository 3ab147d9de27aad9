"""Receipts: signed accounts of how questions ended, which anybody can verify without the host."""
