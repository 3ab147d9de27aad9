"""The emulated Bot API: people, chats and bots in memory, and the server that bots talk to."""
