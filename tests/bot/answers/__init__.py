"""What a pressed button and a reply to a card do."""
