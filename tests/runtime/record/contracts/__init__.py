"""What every backend of the record must hold; a contract never asks which one it runs on."""
