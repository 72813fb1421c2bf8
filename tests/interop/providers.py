"""A scripted provider with its real protocols: SMTP and IMAP."""

import re
import socketserver
import threading


def served(server) -> int:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Mail:
    """A mail server with one mailbox. Addresses at `nowhere.example` do not exist."""

    def __init__(self):
        self.inbox, self.read, self.sent = [], set(), []
        mail = self

        class Smtp(socketserver.StreamRequestHandler):
            """RFC 5321, with AUTH PLAIN of RFC 4954."""

            def handle(self):
                self.say("220 mail.example ESMTP")
                recipients = []
                while line := self.rfile.readline().decode().strip():
                    verb = line.split(" ")[0].split(":")[0].upper()
                    if verb == "EHLO":
                        self.say("250-mail.example", "250 AUTH PLAIN")
                    elif verb == "AUTH":
                        self.say("235 2.7.0 accepted")
                    elif verb == "RCPT" and "nowhere.example" in line:
                        self.say("550 5.1.1 no such mailbox")
                    elif verb == "RCPT":
                        recipients.append(re.search("<(.*)>", line)[1])
                        self.say("250 2.1.5 OK")
                    elif verb == "DATA":
                        self.say("354 go on")
                        lines = []
                        while (part := self.rfile.readline()) != b".\r\n":
                            lines.append(part.removeprefix(b"."))
                        mail.sent.append((recipients, b"".join(lines)))
                        self.say("250 2.0.0 queued")
                    elif verb == "QUIT":
                        return self.say("221 2.0.0 bye")
                    else:
                        self.say("250 2.0.0 OK")

            def say(self, *lines):
                self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())

        class Imap(socketserver.StreamRequestHandler):
            """The part of RFC 3501 that is needed to read a mailbox."""

            def handle(self):
                self.say("* OK ready")
                while line := self.rfile.readline().decode().strip():
                    tag, _, command = line.partition(" ")
                    words = command.split(" ")
                    if words[0] == "CAPABILITY":
                        self.say("* CAPABILITY IMAP4rev1")
                    elif words[0] == "SELECT":
                        self.say(f"* {len(mail.inbox)} EXISTS")
                    elif words[:2] == ["UID", "SEARCH"]:
                        unread = [str(n) for n in range(1, len(mail.inbox) + 1) if n not in mail.read]
                        self.say(" ".join(["* SEARCH", *unread]))
                    elif words[:2] == ["UID", "FETCH"]:
                        raw = mail.inbox[int(words[2]) - 1]
                        self.wfile.write(f"* {words[2]} FETCH (UID {words[2]} BODY[] {{{len(raw)}}}\r\n".encode() + raw)
                        self.say(")")
                    elif words[:2] == ["UID", "STORE"]:
                        mail.read.add(int(words[2]))
                    elif words[0] == "LOGOUT":
                        self.say("* BYE", f"{tag} OK bye")
                        return
                    self.say(f"{tag} OK done")

            def say(self, *lines):
                self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())

        self.smtp = f"127.0.0.1:{served(socketserver.ThreadingTCPServer(('127.0.0.1', 0), Smtp))}"
        self.imap = f"127.0.0.1:{served(socketserver.ThreadingTCPServer(('127.0.0.1', 0), Imap))}"

    def receive(self, *lines: str):
        self.inbox.append("".join(f"{line}\r\n" for line in lines).encode())
