"""Judges `telegram` channels by `aiogram`: its classes parse each call of a bot, and write the updates."""

import inspect
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import aiogram.methods
from aiogram import Bot, types
from pydantic import BaseModel

from channels_provider import Line, Objection, Provider, same, shown, until

TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
SECRET = "X-Telegram-Bot-Api-Secret-Token"
METHODS = {
    it.__api_method__: (name, it)
    for name, it in inspect.getmembers(aiogram.methods, inspect.isclass)
    if isinstance(vars(it).get("__api_method__"), str)
}


def arguments(method: str) -> set[str]:
    """The arguments of the method of `Bot` for a method of the API, such as `send_message` for `sendMessage`."""
    name = "".join(f"_{c.lower()}" if c.isupper() else c for c in method)
    return set(inspect.signature(getattr(Bot, name)).parameters)


def unknown_members(name: str, value) -> list[str]:
    """Members that the classes do not have; they keep such members aside."""
    if isinstance(value, list):
        return [it for number, part in enumerate(value) for it in unknown_members(f"{name}[{number}]", part)]
    if not isinstance(value, BaseModel):
        return []
    own = [f"{name}.{it}" for it in value.model_extra or {}]
    fields = [(f"{name}.{field}", getattr(value, field)) for field in value.model_fields_set]
    return own + [it for field in fields for it in unknown_members(*field)]


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def check_limits(method):
    """The limits of https://core.telegram.org/bots/api that no type states."""
    for name, most in (("text", 4096), ("caption", 1024)):
        text = getattr(method, name, None)
        if text is not None and not (1 <= utf16(text) <= most and text.strip()):
            raise Objection(f"{name} of {utf16(text)} UTF-16 units")
    for entity in getattr(method, "entities", None) or []:
        if entity.offset < 0 or entity.length < 1 or entity.offset + entity.length > utf16(method.text):
            raise Objection(f"an entity outside of the text: {entity}")
    markup = getattr(method, "reply_markup", None)
    rows = markup.inline_keyboard if isinstance(markup, types.InlineKeyboardMarkup) else []
    for row in rows:
        if not 1 <= len(row) <= 8:
            raise Objection(f"{len(row)} buttons in a row")
        for button in row:
            data = (button.callback_data or "").encode()
            if not button.text or not 1 <= len(data) <= 64:
                raise Objection(f"a button with {len(data)} bytes of data: {button}")
    if sum(map(len, rows)) > 100:
        raise Objection("more than 100 buttons")


class BotApi:
    """The part of the Bot API that a channel calls."""

    def __init__(self):
        self.calls, self.webhook = [], {}

    def respond(self, call):
        if call.path.startswith("/file/"):
            return 404, {"ok": False, "error_code": 404, "description": "Not Found"}
        bot, _, name = call.path.removeprefix("/bot").partition("/")
        same("token", bot, TOKEN)
        same("method and media type", (call.method, call.headers["content-type"]), ("POST", "application/json"))
        body = call.json()
        if name not in METHODS:
            raise Objection(f"no method of the Bot API: {name}")
        if wrong := set(body) - arguments(name):
            raise Objection(f"no arguments of Bot.{name}: {wrong}")
        method = METHODS[name][1].model_validate(body)
        if wrong := unknown_members(name, method):
            raise Objection(f"unknown members: {wrong}")
        check_limits(method)
        self.calls.append((name, method, body))
        return 200, {"ok": True, "result": self.result(name, method)}

    def result(self, name: str, method):
        match name:
            case "getMe":
                return {"id": 110201543, "is_bot": True, "first_name": "Shop", "username": "shop_bot"}
            case "setWebhook":
                self.webhook = {"url": method.url, "secret": method.secret_token}
                return True
            case "getWebhookInfo":
                return {"url": self.webhook.get("url", ""), "has_custom_certificate": False, "pending_update_count": 0}
            case "getFile":
                return {"file_id": method.file_id, "file_unique_id": "AQAD", "file_path": "photos/file_1.jpg"}
            case _ if name.startswith("send"):
                chat = {"id": method.chat_id, "type": "private"}
                return {"message_id": len(self.calls), "date": 1767225600, "chat": chat, "text": "sent"}
            case _:
                return True

    def sent(self) -> list:
        return [method for name, method, _ in self.calls if name.startswith("send")]


class Telegram:
    """Writes updates with the classes of aiogram, and posts them."""

    def __init__(self, line: Line, api: BotApi):
        self.line, self.api, self.number, self.messages = line, api, 700, 1000

    def post(self, secret: str | None = None, status: int = 200, **members):
        self.number += 1
        update = types.Update(update_id=self.number, **members)
        self.post_text(update.model_dump_json(exclude_none=True, by_alias=True), secret, status)

    def post_text(self, text: str, secret: str | None = None, status: int = 200):
        headers = {"Content-Type": "application/json", SECRET: self.api.webhook["secret"] if secret is None else secret}
        found, answer = self.line.post(text.encode(), headers)
        same(f"status for {text[:200]}", found, status)
        if status == 200:
            # Telegram executes a body with a method.
            same("answer", answer, b"")

    def message(self, sender: int = 42, **members) -> types.Message:
        user = types.User(id=sender, is_bot=False, first_name="Ada", last_name="King", language_code="en")
        # Telegram counts the messages of a chat, and identifies an edited one by this number.
        self.messages += 1
        own = {"message_id": self.messages, "date": datetime.now(timezone.utc), "from_user": user,
               "chat": types.Chat(id=sender, type="private", first_name="Ada", last_name="King")}
        return types.Message(**(own | members))


def file(**more) -> dict:
    return {"file_id": "AgAC", "file_unique_id": "AQAD", "file_size": 1234} | more


def heard(telegram: Telegram) -> int:
    """What contacts write is stored once, with their names; anything else is ignored."""
    line, message = telegram.line, telegram.message
    entity = types.MessageEntity(type="bold", offset=0, length=2)
    place = types.Location(latitude=52.5163, longitude=13.3777)
    # Each message with the words that the stored text must contain.
    shapes = [
        (message(text="Hi"), "Hi"),
        (message(text="Zoë 🦀 *b* _i_ <b> \\ \"", entities=[entity]), "Zoë 🦀 *b* _i_ <b> \\ \""),
        (message(text="/start spring-26_a", entities=[entity]), "/start spring-26_a"),
        (message(text="a" * 4096), "a" * 4096),
        (message(text="a\n\nb"), "a\n\nb"),
        (message(photo=[types.PhotoSize(width=9, height=9, **file())], caption="My cat"), "My cat"),
        (message(document=types.Document(file_name="bill.pdf", mime_type="application/pdf", **file())), "bill.pdf"),
        (message(video=types.Video(width=1, height=1, duration=1, **file()), caption="Film"), "Film"),
        (message(animation=types.Animation(width=1, height=1, duration=1, **file()),
                 document=types.Document(file_name="a.gif", **file())), ""),
        (message(voice=types.Voice(duration=3, **file())), ""),
        (message(audio=types.Audio(duration=3, title="Song", **file()), caption="Listen"), "Listen"),
        (message(video_note=types.VideoNote(length=3, duration=1, **file())), ""),
        (message(sticker=types.Sticker(type="regular", width=1, height=1, is_animated=False, is_video=False,
                                       emoji="😀", **file())), ""),
        (message(contact=types.Contact(phone_number="+4930", first_name="Bo")), "Bo"),
        (message(location=place), ""),
        (message(location=place, venue=types.Venue(location=place, title="Gate", address="Pariser Platz")), ""),
        (message(poll=types.Poll(id="1", question="Tea?", options=[], total_voter_count=0, is_closed=False,
                                 is_anonymous=True, type="regular", allows_multiple_answers=False,
                                 allows_revoting=False, members_only=False)), "Tea?"),
        (message(dice=types.Dice(emoji="🎲", value=3)), ""),
        (message(text="answer", reply_to_message=message(text="question")), "answer"),
        (message(text="forwarded", forward_origin=types.MessageOriginHiddenUser(
            type="hidden_user", date=datetime.now(timezone.utc), sender_user_name="Eve")), "forwarded"),
    ]
    for shape, _ in shapes:
        telegram.post(message=shape)
    found = list(reversed(line.messages("inbound")))
    same("number of messages", len(found), len(shapes))
    by_id = {it["provider_message_id"]: it for it in found}
    for shape, words in shapes:
        stored = by_id[f"42:{shape.message_id}"]
        text = shown(stored)
        if words not in text:
            raise Objection(f"{shape.content_type}: {words!r} is not in {text!r}")
        if not text and not stored["attachments"]:
            raise Objection(f"{shape.content_type} is empty")
    contact = line.contacts()["42"]
    same("name", (contact["first_name"], contact["last_name"], contact["locale"]), ("Ada", "King", "en"))
    return len(shapes)


def ignored(telegram: Telegram) -> int:
    line, message = telegram.line, telegram.message
    before = len(line.messages("inbound"))
    group = types.Chat(id=-7, type="supergroup", title="Group")
    bot = types.User(id=43, is_bot=True, first_name="Bot")
    emoji = types.ReactionTypeEmoji(type="emoji", emoji="👍")
    now = datetime.now(timezone.utc)
    updates = [
        {"message": message(text="in a group", chat=group)},
        {"message": message(text="of a bot", from_user=bot)},
        {"message": message(pinned_message=message(text="Hi"))},
        {"channel_post": message(text="post", chat=types.Chat(id=-8, type="channel", title="News"), from_user=None)},
        {"edited_channel_post": message(text="post", chat=types.Chat(id=-8, type="channel", title="News"))},
        # A reaction to a message of another system.
        {"message_reaction": types.MessageReactionUpdated(
            chat=types.Chat(id=42, type="private"), message_id=1, date=now, old_reaction=[], new_reaction=[emoji],
            user=types.User(id=42, is_bot=False, first_name="Ada"))},
        {"inline_query": types.InlineQuery(id="1", from_user=bot, query="x", offset="")},
    ]
    for update in updates:
        telegram.post(**update)
    telegram.post(message=message(text="forged"), secret="wrong", status=401)
    telegram.post(message=message(text="forged"), secret="", status=401)
    # A repeated update is stored once.
    update = types.Update(update_id=1, message=message(text="twice"))
    repeated = update.model_dump_json(exclude_none=True, by_alias=True)
    telegram.post_text(repeated)
    telegram.post_text(repeated)
    same("messages after ignored updates", len(line.messages("inbound")), before + 1)
    same("bodies that are not understood", [it["reason"] for it in line.unparsed()], [])
    return len(updates) + 2


def changed(telegram: Telegram):
    """A contact edits a message, and sets and removes a reaction. No message is added."""
    line, original = telegram.line, telegram.message(text="before")
    telegram.post(message=original)
    before = len(line.messages("inbound"))
    edited = telegram.message(text="after", message_id=original.message_id, edit_date=int(original.date.timestamp()))
    telegram.post(edited_message=edited)
    thumb = types.ReactionTypeEmoji(type="emoji", emoji="👍")

    def react(*emojis):
        telegram.post(message_reaction=types.MessageReactionUpdated(
            chat=original.chat, message_id=original.message_id, date=datetime.now(timezone.utc), old_reaction=[],
            new_reaction=list(emojis), user=original.from_user))
        found = line.messages("inbound")
        same("messages after a change", len(found), before)
        return next(it for it in found if it["provider_message_id"] == f"42:{original.message_id}")

    message = react(thumb)
    same("text", (message["text"], [it["text"] for it in message["edits"]]), ("after", ["before"]))
    same("reactions", [it["emoji"] for it in message["reactions"]], ["👍"])
    same("reactions after their removal", react()["reactions"], [])


def sent(telegram: Telegram) -> int:
    """The provider parses each call. Here its content is compared with the message."""
    line, api = telegram.line, telegram.api
    contact = line.contacts()["42"]["id"]
    link = "https://example.com/" + "x" * 60
    replies = [{"title": "Yes"}, {"title": "No, thanks 🙂"}]
    messages = [
        {"type": "text", "text": "Hello"},
        {"type": "text", "text": "*b* _i_ `c` [x](y) <b> & \\ . ! - 🦀"},
        {"type": "text", "text": "🦀" * 2048},
        {"type": "text", "text": ("x" * 4094) + "🦀"},
        {"type": "text", "text": ("x" * 4095) + "🦀"},
        {"type": "text", "text": " ".join(["🦀 word"] * 500)[:4096].strip()},
        {"type": "text", "text": f"{link} " * 49},
        {"type": "text", "text": "Tea?", "quick_replies": replies},
        {"type": "text", "text": "Many", "quick_replies": [{"title": f"Choice {number}"} for number in range(10)]},
        {"type": "text", "text": "line\n\nline"},
    ]
    for message in messages:
        before = len(api.sent())
        line.ends(line.say(contact, message))
        calls = api.sent()[before:]
        same("chats", {it.chat_id for it in calls}, {42})
        same("words", " ".join(it.text for it in calls).split(), restored(message["text"], calls))
        titles = [row[0].text for it in calls if it.reply_markup for row in it.reply_markup.inline_keyboard]
        same("buttons", titles, [it["title"] for it in message.get("quick_replies", [])])
        if any(it.parse_mode for _, it, body in api.calls if "parse_mode" in body):
            raise Objection("a text with parse_mode")
    return len(messages)


def restored(text: str, calls: list) -> list[str]:
    """The words of a text. One word over the limit is divided at the ends of the calls."""
    if len(calls) == 1 or " " in text.strip():
        return text.split()
    same("divided text", "".join(it.text for it in calls), text)
    return " ".join(it.text for it in calls).split()


def album(telegram: Telegram):
    """An album of a new contact, whose updates arrive at once, is one conversation."""
    line, sender = telegram.line, 77
    updates = []
    for number in range(10):
        telegram.number += 1
        photo = [types.PhotoSize(width=9, height=9, **file())]
        message = telegram.message(sender, photo=photo, media_group_id="1", message_id=number, caption=f"{number}")
        update = types.Update(update_id=telegram.number, message=message)
        updates.append(update.model_dump_json(exclude_none=True, by_alias=True))
    with ThreadPoolExecutor(max_workers=10) as pool:
        list(pool.map(telegram.post_text, updates))
    contacts = [it for it in line.all("contacts") if it["identities"][0]["address"] == str(sender)]
    same("contacts of an album", len(contacts), 1)
    conversations = [it for it in line.all("conversations") if it["contact_id"] == contacts[0]["id"]]
    same("conversations of an album", len(conversations), 1)
    same("messages of an album", len(line.all(f"conversations/{conversations[0]['id']}/messages")), 10)


def pressed(telegram: Telegram):
    """A pressed button is answered, and its title is the contact's message."""
    line, api = telegram.line, telegram.api
    choice = next(it for it in api.sent() if it.reply_markup and it.text == "Tea?")
    button = choice.reply_markup.inline_keyboard[1][0]
    user = types.User(id=42, is_bot=False, first_name="Ada")
    message = telegram.message(text="Tea?", reply_markup=choice.reply_markup, message_id=9)
    telegram.post(callback_query=types.CallbackQuery(
        id="77", from_user=user, chat_instance="1", message=message, data=button.callback_data))
    texts = {it["provider_message_id"]: it["text"] for it in line.messages("inbound")}
    same("the contact's choice", texts[str(telegram.number)], button.text)

    def calls_of(name: str):
        return [method for own, method, _ in api.calls if own == name]

    until("the button is answered", lambda: "77" in [it.callback_query_id for it in calls_of("answerCallbackQuery")])
    until("the buttons are removed", lambda: 9 in [it.message_id for it in calls_of("editMessageReplyMarkup")])


def blocked(telegram: Telegram):
    """A contact that blocks the bot is opted out of the channel until it unblocks the bot."""
    line = telegram.line
    user, bot = types.User(id=43, is_bot=False, first_name="Eve"), types.User(id=1, is_bot=True, first_name="Shop")
    telegram.post(message=telegram.message(sender=43, text="Hi"))
    member = types.ChatMemberMember(user=bot)
    banned = types.ChatMemberBanned(user=bot, until_date=datetime.fromtimestamp(0, timezone.utc))

    def change(old, new):
        chat, now = types.Chat(id=43, type="private"), datetime.now(timezone.utc)
        changed = types.ChatMemberUpdated(chat=chat, from_user=user, date=now, old_chat_member=old, new_chat_member=new)
        telegram.post(my_chat_member=changed)

    change(member, banned)

    def is_out():
        identities = line.contacts()["43"]["identities"]
        return [it for it in identities if it["channel_id"] == line.id and not it["opted_in"]]

    until("the contact is opted out", is_out)
    change(banned, member)
    until("the contact is opted in again", lambda: not is_out())


def telegram(_: Path, server) -> str:
    api = BotApi()
    provider = Provider(api.respond)
    line = Line(server, {"kind": "telegram", "config": {"base_url": provider.url}, "secrets": {"bot_token": TOKEN}})
    same("webhook", api.webhook["url"], line.public)
    played = Telegram(line, api)
    numbers = (heard(played), ignored(played), sent(played))
    changed(played)
    album(played)
    pressed(played)
    blocked(played)
    line.call("POST", f"channels/{line.id}/disconnect", {})
    same("last call", api.calls[-1][0], "deleteWebhook")
    provider.close()
    return "aiogram: {} kinds of messages heard, {} updates ignored or refused, {} messages and {} calls parsed".format(
        *numbers, len(api.calls))
