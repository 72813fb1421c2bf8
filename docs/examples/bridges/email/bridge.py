"""Connects a channel of type `http` to a mailbox: sends by SMTP and receives by IMAP.

    pip install standardwebhooks
    TIDINGS=http://127.0.0.1:8080 INBOUND_PATH=/inbound/… SECRET=whsec_… MAILBOX=help@example.com PASSWORD=… \\
        SMTP=smtp.example.com:465 IMAP=imap.example.com:993 python3 bridge.py

The channel's `config.url` is http://LISTEN/. A contact's address is an email address. TLS=off is for a mail server on
this machine. Automatic mail is ignored, except reports that a sent mail was not delivered (RFC 3464).
"""

import email.policy
import imaplib
import json
import os
import smtplib
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

INBOUND, SIGNER = os.environ["TIDINGS"] + os.environ["INBOUND_PATH"], Webhook(os.environ["SECRET"])
MAILBOX, PASSWORD, SMTP, IMAP = (os.environ[name] for name in ("MAILBOX", "PASSWORD", "SMTP", "IMAP"))
TLS, EVERY = os.environ.get("TLS") != "off", float(os.environ.get("EVERY", "15"))
DOMAIN, SUBJECT = MAILBOX.partition("@")[2], "A message for you"  # of the first mail to an address
HOST, PORT = os.environ.get("LISTEN", "127.0.0.1:8091").rsplit(":", 1)
MOST = 1 << 20  # bytes of a request, and of a mail

state, lock = sqlite3.connect(os.environ.get("STATE", "email.db"), check_same_thread=False), threading.Lock()
state.executescript("""
    CREATE TABLE IF NOT EXISTS sent (id TEXT PRIMARY KEY, done INTEGER);  -- not done: outcome unknown
    CREATE TABLE IF NOT EXISTS threads (address TEXT PRIMARY KEY, last TEXT, subject TEXT);
""")


def remember(statement: str, *values):
    with lock, state:
        return state.execute(statement, values).fetchone()


def mail(message: dict, to: str) -> EmailMessage:
    made, thread = EmailMessage(), remember("SELECT last, subject FROM threads WHERE address = ?", to.lower())
    made["From"], made["To"], made["Message-ID"] = MAILBOX, to, f"<{message['id']}@{DOMAIN}>"
    made["Subject"], made["Date"] = (f"Re: {thread[1]}" if thread else SUBJECT), formatdate()
    if thread:
        made["In-Reply-To"] = made["References"] = thread[0]
    more = [it["url"] for it in message["attachments"]] + [f"- {it['title']}" for it in message["quick_replies"]]
    made.set_content("\n".join([message["text"] or "", *more]).strip() + "\n")
    return made


class Messages(BaseHTTPRequestHandler):
    timeout = 20

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        try:
            asked = SIGNER.verify(self.rfile.read(length) if 0 < length <= MOST else b"", dict(self.headers))
            with (smtplib.SMTP_SSL if TLS else smtplib.SMTP)(SMTP, timeout=10) as server:
                server.login(MAILBOX, PASSWORD)
                if asked["type"] == "test":
                    return self.answer(200, {"said": server.noop()[1].decode()})
                self.send(server, asked["message"], asked["to"]["address"])
        except (WebhookVerificationError, smtplib.SMTPAuthenticationError) as error:
            self.answer(401, {"error": str(error)})
        except (OSError, smtplib.SMTPException) as error:  # nothing was sent yet
            self.answer(503, {"error": str(error)})

    def send(self, server: smtplib.SMTP, message: dict, to: str):
        known = remember("SELECT done FROM sent WHERE id = ?", message["id"])
        try:
            if known is None:
                remember("INSERT INTO sent (id) VALUES (?)", message["id"])
                server.send_message(mail(message, to))
                remember("UPDATE sent SET done = 1 WHERE id = ?", message["id"])
            elif known[0] is None:
                return self.connection.close()  # outcome unknown: it is `uncertain`
            self.answer(200, {"provider_message_id": f"<{message['id']}@{DOMAIN}>"})
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as error:
            code = error.recipients[to][0] if hasattr(error, "recipients") else error.smtp_code
            remember("DELETE FROM sent WHERE id = ?", message["id"])
            self.answer(503 if code < 500 else 410 if code in (550, 551, 553) else 422, {"error": str(error)})
        except (OSError, smtplib.SMTPServerDisconnected):
            self.connection.close()

    def answer(self, status: int, told: dict):
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def told_by(found: EmailMessage) -> dict | None:
    """Converts a mail to an event of the channel: a message, or the status of a sent mail. None for any other mail."""
    if found.get_content_type() == "multipart/report":
        parts = {part.get_content_type(): part for part in found.walk()}
        if not {"message/delivery-status", "message/rfc822"} <= parts.keys():
            return None
        failed = [it for it in parts["message/delivery-status"].get_payload() if it["Action"] == "failed"]
        told = {"type": "status", "provider_message_id": parts["message/rfc822"].get_payload(0)["Message-ID"]}
        return told | {"status": "failed", "error": failed[0]["Diagnostic-Code"] or ""} if failed else None
    if found.get("Auto-Submitted", "no") != "no" or "Precedence" in found:
        return None
    (name, address), part = parseaddr(found["From"]), found.get_body(("plain",))
    lines = part.get_content().splitlines() if part else []
    text = "\n".join(line for line in lines if not line.startswith(">")).strip()
    id, subject = found["Message-ID"], (found["Subject"] or SUBJECT).removeprefix("Re: ")
    remember("INSERT OR REPLACE INTO threads VALUES (?, ?, ?)", address.lower(), id, subject)
    return {"type": "message", "id": id, "from": {"address": address, "name": name or address}, "text": text or subject}


def hand_over(told: dict):
    body, now, id = json.dumps(told), datetime.now(timezone.utc), told.get("id") or told["provider_message_id"]
    headers = {"webhook-id": id, "webhook-timestamp": str(int(now.timestamp())), "Content-Type": "application/json"}
    headers["webhook-signature"] = SIGNER.sign(id, now, body)
    try:
        urllib.request.urlopen(urllib.request.Request(INBOUND, body.encode(), headers), timeout=30).close()
    except urllib.error.HTTPError as error:
        if error.code not in (404, 422):  # a report on an unknown mail, or an invalid event: a retry would fail
            raise
        print(f"passed by: {error.read().decode()}", flush=True)


def receive():
    """Marks a mail as read after it was handed over. The server stores it once, even if it is handed over twice."""
    while True:
        try:
            with (imaplib.IMAP4_SSL if TLS else imaplib.IMAP4)(*IMAP.rsplit(":", 1), timeout=30) as mailbox:
                mailbox.login(MAILBOX, PASSWORD)
                mailbox.select("INBOX")
                for number in mailbox.uid("SEARCH", "UNSEEN", "SMALLER", str(MOST))[1][0].split():
                    raw = mailbox.uid("FETCH", number, "(BODY.PEEK[])")[1][0][1]
                    if told := told_by(email.message_from_bytes(raw, policy=email.policy.default)):
                        hand_over(told)
                    mailbox.uid("STORE", number, "+FLAGS", "(\\Seen)")
        except (OSError, imaplib.IMAP4.error) as error:
            print(f"again in {EVERY} s: {error}", flush=True)
        time.sleep(EVERY)


if __name__ == "__main__":
    threading.Thread(target=receive, daemon=True).start()
    ThreadingHTTPServer((HOST, int(PORT)), Messages).serve_forever()
