"""A bot written with aiogram lives on the emulated server."""

import asyncio
import contextlib

from aiogram import Bot, Dispatcher, F
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message


def dispatcher() -> Dispatcher:
    dispatcher = Dispatcher()

    @dispatcher.message(F.text == "buy")
    async def ask(message: Message) -> None:
        yes = InlineKeyboardButton(text="Yes", callback_data="buy:yes")
        await message.reply("Sure?", reply_markup=InlineKeyboardMarkup(inline_keyboard=[[yes]]))

    @dispatcher.callback_query(F.data == "buy:yes")
    async def bought(query: CallbackQuery) -> None:
        await query.answer("Thanks", show_alert=True)
        await query.message.edit_text(f"Bought by {query.from_user.full_name}.")

    return dispatcher


@contextlib.asynccontextmanager
async def polling(bot: Bot):
    router = dispatcher()
    task = asyncio.create_task(router.start_polling(bot, polling_timeout=10, handle_signals=False))
    try:
        yield
    finally:
        await router.stop_polling()
        await task


async def test_aiogram_polls_asks_hears_the_tap_answers_and_edits(url, bot, ada):
    chat = ada.chat_with(bot)
    session = AiohttpSession(api=TelegramAPIServer.from_base(url))

    async with polling(Bot(bot.token, session=session)):
        asked = ada.send(chat, "buy")
        card = await ada.wait_for(chat, lambda view: view.labels == ("Yes",), timeout=20)
        press = ada.press(chat, card.id, "yes")
        answer = await press.answered(timeout=20)
        edited = await ada.wait_for(chat, lambda view: view.text == "Bought by Ada.", timeout=20)

    assert card.reply_to == asked
    assert (answer.text, answer.alert) == ("Thanks", True)
    assert edited.id == card.id
    assert edited.labels == ()


async def test_aiogram_reads_every_small_answer(url, bot, ada):
    chat = ada.chat_with(bot)
    session = AiohttpSession(api=TelegramAPIServer.from_base(url))

    async with Bot(bot.token, session=session) as client:
        me = await client.get_me()
        full = await client.get_chat(chat.id)
        member = await client.get_chat_member(chat.id, ada.id)
        hook = await client.get_webhook_info()

    assert me.username == "comal_bot"
    assert full.first_name == "Ada"
    assert member.user.id == ada.id
    assert hook.url == ""
