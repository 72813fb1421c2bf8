"""Tests the bridge of docs/examples with a scripted provider: both directions and failures."""

import email
import email.policy
import os
import socket
import subprocess
import time
from pathlib import Path

from providers import Mail
from server import Server

BRIDGES = Path(__file__).resolve().parents[2] / "docs/examples/bridges"


def until(what: str, ask, seconds: float = 60):
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if found := ask():
            return found
        time.sleep(0.1)
    raise SystemExit(f"interop: not within {seconds} s: {what}")


class Bridge:
    """A bridge, and a workspace with a channel that uses it."""

    def __init__(self, tools: Path, server: Server, name: str, settings: dict):
        self.server, self.name = server, name
        self.key = server.new_key(server.new_workspace(f"of the bridge to {name}"), "full")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        made = {"kind": "http", "name": name, "is_default": True, "config": {"url": f"http://127.0.0.1:{port}/"}}
        channel = self.call("POST", "channels", made)
        known = {
            "TIDINGS": server.base, "INBOUND_PATH": channel["inbound_path"], "SECRET": channel["secret"],
            "LISTEN": f"127.0.0.1:{port}", "STATE": str(server.folder / f"{name}.db"),
        }
        log = open(server.folder / f"{name}.log", "w")
        command = [tools / "venv/bin/python", "-u", BRIDGES / name / "bridge.py"]
        self.process = subprocess.Popen(command, env=os.environ | known | settings, stdout=log, stderr=log)
        until(f"{name} listens", lambda: not socket.socket().connect_ex(("127.0.0.1", port)))
        tested = self.call("POST", f"channels/{channel['id']}/test")
        if not tested["succeeded"]:
            raise SystemExit(f"interop: the bridge to {name} is not reached: {tested}")
        self.call("POST", f"channels/{channel['id']}/connect")

    def call(self, method: str, path: str, body=None):
        return self.server.call(method, f"/api/v1/{path}", body, self.key)

    def heard(self, text: str) -> str:
        """The conversation with this message of a contact."""
        def found():
            for conversation in self.call("GET", "conversations")["data"]:
                said = self.call("GET", f"conversations/{conversation['id']}/messages")["data"]
                if any(message["direction"] == "inbound" and message["text"] == text for message in said):
                    return conversation["id"]
        return until(f"{self.name}: {text}", found)

    def count(self, conversation: str, direction: str) -> int:
        said = self.call("GET", f"conversations/{conversation}/messages")["data"]
        return sum(message["direction"] == direction for message in said)

    def say(self, conversation: str, text: str, **more) -> str:
        body = {"type": "text", "text": text} | more
        return self.call("POST", f"conversations/{conversation}/messages", body)["id"]

    def ends(self, message: str, status: str, code: str | None = None):
        def found():
            now = self.call("GET", f"messages/{message}")
            return now["status"] == status and (code is None or now["error"]["code"] == code)
        until(f"{self.name}: {message} is {status} {code or ''}", found)


def mailbox(tools: Path, server: Server):
    provider = Mail()
    settings = {"MAILBOX": "help@shop.example", "PASSWORD": "secret", "SMTP": provider.smtp, "IMAP": provider.imap,
                "TLS": "off", "EVERY": "0.1"}
    provider.receive("From: Ada <ada@example.com>", "Subject: A question", "Message-ID: <1@example.com>",
                     "Content-Type: text/plain; charset=utf-8", "", "Are you open?", "> quoted")
    bridge = Bridge(tools, server, "email", settings)
    try:
        talk = bridge.heard("Are you open?")
        answer = bridge.say(talk, "Until six")
        bridge.ends(answer, "sent")
        [(recipients, raw)] = provider.sent
        taken = email.message_from_bytes(raw, policy=email.policy.default)
        assert recipients == ["ada@example.com"], recipients
        assert (taken["Subject"], taken["In-Reply-To"]) == ("Re: A question", "<1@example.com>"), taken
        assert taken.get_content().strip() == "Until six", taken

        provider.receive("From: ada@example.com", "Subject: Away", "Message-ID: <2@example.com>",
                         "Auto-Submitted: auto-replied", "", "I am away")
        provider.receive(
            "From: MAILER-DAEMON@mail.example", "Subject: Undelivered", "MIME-Version: 1.0",
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"', "",
            "--b", "Content-Type: text/plain", "", "It came back.",
            "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mail.example", "",
            "Final-Recipient: rfc822; ada@example.com", "Action: failed", "Status: 5.2.2",
            "Diagnostic-Code: smtp; 552 mailbox full", "",
            "--b", "Content-Type: message/rfc822", "", *raw.decode().splitlines(), "", "--b--")
        bridge.ends(answer, "failed")
        until("all mail is read", lambda: len(provider.read) == len(provider.inbox))
        assert bridge.count(talk, "inbound") == 1, "programs are not answered"

        provider.receive("From: Bob <bob@nowhere.example>", "Subject: Hi", "Message-ID: <3@nowhere.example>", "", "Bob here")
        bridge.ends(bridge.say(bridge.heard("Bob here"), "Hello Bob"), "failed", "provider_gone")
    finally:
        bridge.process.kill()
    print("bridge to a mailbox: heard, answered in its thread, came back, no such mailbox, programs passed by")


def bridges(tools: Path, server: Server):
    mailbox(tools, server)
