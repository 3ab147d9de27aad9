"""One chat's changing state: who is in it and what was written."""

from .values import Chat, ChatAction, Content, MessageView, Standing, User


class Room:
    """Holds a chat's members, its messages by id and what bots are shown doing."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.standings: dict[int, Standing] = {}
        self.actions: dict[int, ChatAction] = {}
        self._views: dict[int, MessageView] = {}

    def standing(self, user_id: int) -> Standing:
        """Tell where a user stands; who never came has left."""
        return self.standings.get(user_id, Standing.LEFT)

    def members(self) -> list[int]:
        """Return the ids of those who are in."""
        return [user for user, standing in self.standings.items() if standing is Standing.MEMBER]

    def add(
        self, sender: User, content: Content, *, reply_to: int | None, date: int
    ) -> MessageView:
        """Write a new message under the next id."""
        view = MessageView(
            chat=self.chat,
            id=len(self._views) + 1,
            sender=sender,
            date=date,
            content=content,
            reply_to=reply_to,
        )
        self._views[view.id] = view
        self.actions.pop(sender.id, None)
        return view

    def put(self, view: MessageView) -> None:
        """Replace a message by its newer state."""
        self._views[view.id] = view

    def get(self, message_id: int | None) -> MessageView | None:
        """Return a message, deleted ones included; None for an id never given."""
        return None if message_id is None else self._views.get(message_id)

    def views(self) -> list[MessageView]:
        """Return every message, oldest first."""
        return list(self._views.values())
