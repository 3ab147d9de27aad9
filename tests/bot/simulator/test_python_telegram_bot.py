"""A bot written with python-telegram-bot lives on the emulated server."""

import contextlib

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    ContextTypes,
    MessageHandler,
    filters,
)


async def ask(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    yes = InlineKeyboardButton("Yes", callback_data="buy:yes")
    await update.message.reply_text("Sure?", reply_markup=InlineKeyboardMarkup([[yes]]))


async def bought(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    query = update.callback_query
    await query.answer("Thanks", show_alert=True)
    await query.edit_message_text(f"Bought by {query.from_user.full_name}.")


@contextlib.asynccontextmanager
async def polling(url: str, token: str):
    application = Application.builder().token(token).base_url(f"{url}/bot").build()
    application.add_handler(MessageHandler(filters.TEXT, ask))
    application.add_handler(CallbackQueryHandler(bought))
    async with application:
        await application.updater.start_polling()
        await application.start()
        try:
            yield application.bot
        finally:
            await application.updater.stop()
            await application.stop()


async def test_python_telegram_bot_polls_asks_hears_the_tap_answers_and_edits(url, bot, ada):
    chat = ada.chat_with(bot)

    async with polling(url, bot.token):
        ada.send(chat, "buy")
        card = await ada.wait_for(chat, lambda view: view.labels == ("Yes",))
        press = ada.press(chat, card.id, "Yes")
        answer = await press.answered()
        edited = await ada.wait_for(chat, lambda view: view.text == "Bought by Ada.")

    assert (answer.text, answer.alert) == ("Thanks", True)
    assert edited.id == card.id
    assert edited.labels == ()


async def test_python_telegram_bot_reads_every_small_answer(url, bot, ada):
    chat = ada.chat_with(bot)

    async with polling(url, bot.token) as client:
        me = await client.get_me()
        full = await client.get_chat(chat.id)
        member = await client.get_chat_member(chat.id, ada.id)
        commands = await client.set_my_commands([("start", "Begin")])

    assert me.username == "comal_bot"
    assert full.first_name == "Ada"
    assert member.status == "member"
    assert commands is True
