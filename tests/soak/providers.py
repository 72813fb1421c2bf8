"""Providers of channels, implemented from their documentation: the Bot API of Telegram
(https://core.telegram.org/bots/api) and the messages of Twilio (https://www.twilio.com/docs/messaging/api).

A provider accepts a message or not, and answers or not, as `conduct` says for each message:

    answer   it accepts the message and answers
    cut      it accepts the message and closes the connection without an answer
    reset    the same with a TCP reset
    half     it accepts the message and closes the connection in the middle of the answer
    error    it accepts the message and answers 500
    silent   it accepts the message and answers after the client's timeout
    unread   it closes the connection before it reads the message
"""

import base64
import collections
import email.utils
import http.client
import http.server
import json
import socket
import struct
import threading
import time
import urllib.parse

# The server knows itself by this URL. Providers call its local address instead.
PUBLIC_URL = "https://tidings.example"
UNCLEAR = ("cut", "reset", "half", "error", "unread")
# Longer than the server waits for the start of an answer.
SILENCE = 16


class Provider(http.server.ThreadingHTTPServer):
    """`taken` counts the accepted messages by name, and `answered` has the names of those with a complete answer."""
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, conduct=lambda: "answer", latency=lambda: 0):
        self.conduct, self.latency, self.lock = conduct, latency, threading.Lock()
        self.taken, self.answered, self.conducts = collections.Counter(), set(), {}
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """The program closes connections when it is killed."""

    def respond(self, method, path, read, handler):
        """Returns the status and the JSON of an answer, or `None` after a closed connection. `read` reads the body."""
        raise NotImplementedError

    def accept(self, name, read, answer, handler, failure):
        """Accepts a message. `name(body)` returns its name, and `answer(body)` the status and the JSON of the answer."""
        conduct = self.conduct()
        if conduct == "unread":
            return handler.close()
        body = read()
        called = name(body)
        with self.lock:
            self.taken[called] += 1
            self.conducts[called] = conduct
            status, found = answer(body)
        time.sleep(self.latency())
        if conduct == "silent":
            time.sleep(SILENCE)
        if conduct in ("cut", "reset", "half"):
            if conduct == "half":
                handler.write(status, found, half=True)
            return handler.close(conduct == "reset")
        if conduct == "error":
            return 500, failure
        if conduct == "answer":
            with self.lock:
                self.answered.add(called)
        return status, found


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        read = lambda: self.rfile.read(int(self.headers.get("content-length") or 0))
        found = self.server.respond(self.command, self.path, read, self)
        if found:
            self.write(*found)

    do_GET = do_POST = answer

    def write(self, status, found, half=False):
        body = json.dumps(found).encode()
        head = f"HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.wfile.write(head.encode() + (body[:len(body) // 2] if half else body))

    def close(self, by_reset=False):
        """Closes the connection."""
        if by_reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def log_message(self, *_):
        pass


class BotApi(Provider):
    """The server of one bot. The name of a message is its text. `by_chat` also counts the accepted messages by chat."""
    token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

    def __init__(self, *arguments):
        self.webhook, self.number, self.by_chat = {}, 0, collections.Counter()
        super().__init__(*arguments)

    def channel(self):
        return {"kind": "telegram", "name": "Bot", "is_default": True,
                "config": {"mode": "webhook", "base_url": self.url}, "secrets": {"bot_token": self.token}}

    def respond(self, method, path, read, handler):
        bot, _, method = path.removeprefix("/bot").partition("/")
        if bot != self.token:
            return 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        if method == "sendMessage":
            failure = {"ok": False, "error_code": 500, "description": "Internal Server Error: restarting"}
            return self.accept(lambda body: json.loads(body)["text"], read, self.sent, handler, failure)
        body = json.loads(read() or "{}")
        if method == "setWebhook":
            self.webhook = body
        results = {"getMe": {"id": 110201543, "is_bot": True, "first_name": "Shop", "username": "shop_bot"},
                   "getWebhookInfo": {"url": self.webhook.get("url", ""), "pending_update_count": 0}}
        return 200, {"ok": True, "result": results.get(method, True)}

    def sent(self, body):
        message, self.number = json.loads(body), self.number + 1
        self.by_chat[message["chat_id"], message["text"]] += 1
        chat = {"id": message["chat_id"], "type": "private"}
        return 200, {"ok": True, "result": {"message_id": self.number, "date": int(time.time()), "chat": chat,
                                            "text": message["text"]}}


class TwilioApi(Provider):
    """One account with one number. The name of a message is the ID that its callback address carries."""
    account, auth_token, number = "AC0123456789abcdef0123456789abcdef", "t0ken-of-the-account", "+15005550006"

    def __init__(self, *arguments):
        self.address, self.messages = "", []
        super().__init__(*arguments)

    def channel(self):
        return {"kind": "sms", "name": "Texts", "is_default": True, "secrets": {"auth_token": self.auth_token},
                "config": {"provider": "twilio", "account_sid": self.account, "from": self.number,
                           "base_url": self.url}}

    def respond(self, method, path, read, handler):
        path, _, query = path.partition("?")
        login = base64.b64encode(f"{self.account}:{self.auth_token}".encode()).decode()
        if handler.headers.get("authorization") != f"Basic {login}":
            return 401, {"code": 20003, "message": "Authenticate", "status": 401}
        resource = path.removeprefix(f"/2010-04-01/Accounts/{self.account}").strip("/")
        if (method, resource) == ("POST", "Messages.json"):
            failure = {"code": 20500, "message": "Internal Server Error", "status": 500}
            return self.accept(self.id_of, read, self.sent, handler, failure)
        form, query = dict(urllib.parse.parse_qsl(read().decode())), dict(urllib.parse.parse_qsl(query))
        if (method, resource) == ("GET", "Messages.json"):
            with self.lock:
                found = [it for it in reversed(self.messages) if it["to"] == query["To"]]
            return 200, {"messages": found[:int(query["PageSize"])]}
        if resource == ".json":
            return 200, {"sid": self.account, "friendly_name": "Shop", "status": "active"}
        if resource == "IncomingPhoneNumbers/PN6.json":
            self.address = form["SmsUrl"]
        number = {"sid": "PN6", "phone_number": self.number, "sms_url": self.address, "sms_application_sid": ""}
        return 200, {"incoming_phone_numbers": [number]}

    @staticmethod
    def id_of(body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        callback = urllib.parse.urlsplit(form["StatusCallback"])
        return dict(urllib.parse.parse_qsl(callback.query))["message"]

    def sent(self, body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        message = {"sid": f"SM{len(self.messages):032x}", "to": form["To"], "from": self.number, "body": form["Body"],
                   "direction": "outbound-api", "status": "queued", "num_segments": "1",
                   "date_created": email.utils.formatdate().replace("-0000", "+0000")}
        self.messages.append(message)
        return 201, message


class Poster:
    """Posts the updates of a bot over one connection, as Telegram does. Not for several threads."""

    def __init__(self, service, bot):
        self.service, self.bot, self.connection, self.address = service, bot, None, None
        self.path = bot.webhook["url"].removeprefix(PUBLIC_URL)
        self.headers = {"Content-Type": "application/json",
                        "X-Telegram-Bot-Api-Secret-Token": bot.webhook["secret_token"]}

    def post(self, update):
        """Posts an update once; returns the status of the response, or `None` if there is none."""
        if self.address != self.service.address:
            self.close()
            self.address = self.service.address
        try:
            if not self.connection:
                self.connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=30)
            self.connection.request("POST", self.path, json.dumps(update), self.headers)
            answer = self.connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            self.close()
            return None

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


def update_of(number, chat, text):
    """A text message of a person in the private chat with the bot."""
    person = {"id": chat, "is_bot": False, "first_name": f"Person {chat}"}
    return {"update_id": number, "message": {
        "message_id": number, "date": int(time.time()), "from": person,
        "chat": {"id": chat, "type": "private", "first_name": person["first_name"]}, "text": text}}
