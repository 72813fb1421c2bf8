"""Connects a channel of type `http` to a Telegram bot, for both directions.

    pip install standardwebhooks
    TIDINGS=http://127.0.0.1:8080 INBOUND_PATH=/inbound/… SECRET=whsec_… TELEGRAM_TOKEN=123:abc python3 bridge.py

The channel's `config.url` is http://LISTEN/. Telegram's API: https://core.telegram.org/bots/api.
"""

import json
import os
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

INBOUND, SIGNER = os.environ["TIDINGS"] + os.environ["INBOUND_PATH"], Webhook(os.environ["SECRET"])
API = f"{os.environ.get('TELEGRAM_API', 'https://api.telegram.org')}/bot{os.environ['TELEGRAM_TOKEN']}"
HOST, PORT = os.environ.get("LISTEN", "127.0.0.1:8090").rsplit(":", 1)
MOST = 1 << 20  # bytes of a request

state, lock = sqlite3.connect(os.environ.get("STATE", "telegram.db"), check_same_thread=False), threading.Lock()
state.executescript("""
    CREATE TABLE IF NOT EXISTS sent (id TEXT PRIMARY KEY, answer TEXT);  -- no answer: outcome unknown
    CREATE TABLE IF NOT EXISTS seen (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER);
""")


def remember(statement: str, *values):
    with lock, state:
        return state.execute(statement, values).fetchone()


class Refused(Exception):
    """Telegram rejected a call: the status code for the channel, and the seconds after which to retry."""

    def __init__(self, status: int, why: str, after: int = 0):
        super().__init__(why)
        self.status, self.after = status, after


def telegram(method: str, parameters: dict, seconds: float = 10):
    body, headers = json.dumps(parameters).encode(), {"Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{API}/{method}", body, headers), timeout=seconds) as answer:
            return json.load(answer)["result"]
    except urllib.error.HTTPError as error:
        told = json.load(error) if error.headers.get_content_type() == "application/json" else {}
        # 403: the user has blocked the bot. 404: the bot does not exist.
        status = {401: 401, 403: 410, 404: 401, 429: 429}.get(error.code, 503 if error.code >= 500 else 422)
        raise Refused(status, told.get("description", ""), told.get("parameters", {}).get("retry_after", 0)) from error
    except urllib.error.URLError as error:  # the request was not sent completely
        raise Refused(503, "Telegram cannot be reached") from error


def send(message: dict, chat: str) -> str:
    """Sends the parts of a message. Returns an ID with the number of the last part."""
    parts = [("sendDocument", {"document": attachment["url"]}) for attachment in message["attachments"]]
    if message["text"]:
        choices = [[{"text": reply["title"]}] for reply in message["quick_replies"]]
        markup = {"keyboard": choices, "one_time_keyboard": True} if choices else {"remove_keyboard": True}
        parts.append(("sendMessage", {"text": message["text"], "reply_markup": markup}))
    number = None
    for method, part in parts:
        try:
            number = telegram(method, {"chat_id": chat} | part)["message_id"]
        except Refused as refused:
            raise refused if number is None else OSError("a part of it was sent")
    return f"{chat}:{number}"


class Messages(BaseHTTPRequestHandler):
    timeout = 20

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        body = self.rfile.read(length) if 0 < length <= MOST else b""
        try:
            asked = SIGNER.verify(body, dict(self.headers))
        except WebhookVerificationError as error:
            return self.answer(401, {"error": str(error)})
        try:
            if asked["type"] == "test":
                return self.answer(200, {"bot": telegram("getMe", {})["username"]})
            id = asked["message"]["id"]
            known = remember("SELECT answer FROM sent WHERE id = ?", id)
            if known is None:
                remember("INSERT INTO sent (id) VALUES (?)", id)
                known = (send(asked["message"], asked["to"]["address"]),)
                remember("UPDATE sent SET answer = ? WHERE id = ?", known[0], id)
            if known[0] is None:
                return self.connection.close()  # outcome unknown: it is `uncertain`
            self.answer(200, {"provider_message_id": known[0]})
        except Refused as refused:
            if asked["type"] == "message":
                remember("DELETE FROM sent WHERE id = ?", asked["message"]["id"])
            self.answer(refused.status, {"error": str(refused)}, refused.after)
        except OSError:
            self.connection.close()

    def answer(self, status: int, told: dict, after: int = 0):
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if after:
            self.send_header("Retry-After", str(after))
        self.end_headers()
        self.wfile.write(body)


def hand_over(update: dict):
    message = update.get("message", {})
    if "text" not in message or message["chat"]["type"] != "private":
        return
    who = message["from"]
    name = " ".join(part for part in (who.get("first_name"), who.get("last_name")) if part)
    told = {"type": "message", "id": str(update["update_id"]), "text": message["text"],
            "from": {"address": str(message["chat"]["id"]), "name": name}}
    body, now = json.dumps(told), datetime.now(timezone.utc)
    headers = {"Content-Type": "application/json", "webhook-id": told["id"], "webhook-timestamp": str(int(now.timestamp())),
               "webhook-signature": SIGNER.sign(told["id"], now, body)}
    try:
        urllib.request.urlopen(urllib.request.Request(INBOUND, body.encode(), headers), timeout=30).close()
    except urllib.error.HTTPError as error:
        if error.code != 422:
            raise
        print(f"passed by: {error.read().decode()}", flush=True)


def receive():
    """Hands over each update until it is stored. An update that is handed over twice is stored once, by its number."""
    while True:
        try:
            behind = remember("SELECT next FROM seen")
            for update in telegram("getUpdates", {"offset": behind[0] if behind else 0, "timeout": 25}, 40):
                hand_over(update)
                remember("INSERT OR REPLACE INTO seen VALUES (1, ?)", update["update_id"] + 1)
        except (OSError, Refused) as error:
            print(f"again in 3 s: {error}", flush=True)
            time.sleep(max(3, getattr(error, "after", 0)))


if __name__ == "__main__":
    threading.Thread(target=receive, daemon=True).start()
    ThreadingHTTPServer((HOST, int(PORT)), Messages).serve_forever()
