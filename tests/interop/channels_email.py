"""Judges `email` channels: `aiosmtpd` accepts the mails, Python's `email` and `mail-parser` read them, and Python's
`email` writes the mails of contacts."""

import base64
import email.policy
import hashlib
import hmac
import logging
import ssl
import subprocess
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import getaddresses
from html.parser import HTMLParser
from pathlib import Path
from secrets import token_hex
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import httpx
import mailparser
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from standardwebhooks import Webhook

from channels_mails import ADA, SHOP, Shape, crlf, modern, senders, shapes
from channels_provider import Line, Objection, same, shown, until

TESTDATA = Path(__file__).resolve().parents[1] / "service/email/testdata"
AUTHORITY = TESTDATA / "mail.test.pem"
USER, PASSWORD = "shop", "correct horse battery"
SECRET = "key-0123456789abcdef0123456789abcdef"
NAME = "Grüße & Co., Shop"


class Page(HTMLParser):
    """The text and the tags of HTML."""

    def __init__(self):
        super().__init__()
        self.texts, self.tags = [], set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)


class Mailbox:
    """A server of `aiosmtpd` that needs a log-in. `tls` is `implicit`, `starttls` or `none`."""

    def __init__(self, folder: Path, tls: str):
        self.mails = []
        # It does not see that the connection is encrypted from its first byte.
        warnings.filterwarnings("ignore", message="Requiring AUTH while not requiring TLS")
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)
        key = folder / "mail.test.key.pem"
        encoded = base64.encodebytes((TESTDATA / "mail.test.key").read_bytes()).decode()
        key.write_text(f"-----BEGIN PRIVATE KEY-----\n{encoded}-----END PRIVATE KEY-----\n")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(AUTHORITY, key)
        own = {"implicit": {"ssl_context": context}, "none": {},
               "starttls": {"tls_context": context, "require_starttls": True}}[tls]
        # The certificate is for these addresses.
        for number in range(1, 17):
            self.host = f"127.77.0.{number}"
            self.controller = Controller(
                self, hostname=self.host, port=2525, authenticator=self.log_in, auth_required=True,
                auth_require_tls=tls == "starttls", decode_data=False, data_size_limit=26214400,
                enable_SMTPUTF8=False, **own,
            )
            try:
                self.controller.start()
                return
            except OSError:
                continue
        raise Objection("all addresses of the certificate are in use")

    def log_in(self, _server, _session, _envelope, _mechanism, data) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (USER.encode(), PASSWORD.encode()))

    async def handle_DATA(self, _server, _session, envelope) -> str:
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 2.0.0 queued"

    def close(self):
        self.controller.stop()


def channel(box: Mailbox, auth: str, **more) -> dict:
    secrets = {"smtp_user": USER, "smtp_password": PASSWORD}
    secrets |= {} if auth == "standard_webhooks" else {"inbound_secret": SECRET}
    smtp = {"host": box.host, "port": 2525} | more
    config = {"from": {"address": SHOP, "name": NAME}, "smtp": smtp, "inbound": {"auth": auth}}
    return {"kind": "email", "config": config, "secrets": secrets}


class Relays:
    """All ways in which a mail comes in. Each function posts a mail and returns the status."""

    def __init__(self, server, folder: Path, box: Mailbox):
        self.server, self.secret_file = server, folder / "inbound.secret"
        self.signed, self.basic, self.mailgun = (
            Line(server, channel(box, auth)) for auth in ("standard_webhooks", "basic", "mailgun")
        )
        self.secret_file.write_text(self.signed.secrets["inbound_secret"] + "\n")
        self.client = httpx.Client(base_url=server.base, timeout=30)
        self.ways = [
            (self.signed, self.by_standard_webhooks), (self.signed, self.by_mail_in), (self.basic, self.by_basic),
            (self.basic, self.by_sendgrid), (self.basic, self.by_postmark), (self.mailgun, self.by_mailgun),
            (self.mailgun, self.by_mailgun_parts),
        ]

    def by_standard_webhooks(self, mail: bytes, secret: str | None = None) -> int | None:
        try:
            text = mail.decode()
        except UnicodeDecodeError:
            # The library signs texts only.
            return None
        now, name = datetime.now(timezone.utc), "in_" + hashlib.sha256(mail).hexdigest()
        signed = Webhook(secret or self.signed.secrets["inbound_secret"]).sign(name, now, text)
        headers = {"webhook-id": name, "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signed}
        return self.post(self.signed, content=mail, headers=headers | {"content-type": "message/rfc822"})

    def by_mail_in(self, mail: bytes) -> int:
        done = subprocess.run(
            [self.server.binary, "mail-in", "--url", self.server.base + self.signed.inbound,
             "--secret-file", self.secret_file],
            input=mail, capture_output=True, env=self.server.environment, cwd=self.server.folder,
        )
        same(f"output of mail-in for {mail[:80]!r}", (done.returncode, done.stderr), (0, b""))
        return 200

    def by_basic(self, mail: bytes, password: str = SECRET) -> int:
        headers = {"content-type": "message/rfc822"}
        return self.post(self.basic, content=mail, headers=headers, auth=("relay", password))

    def by_sendgrid(self, mail: bytes) -> int:
        envelope = {"to": SHOP, "envelope": f'{{"to":["{SHOP}"],"from":"{ADA}"}}'}
        return self.post(self.basic, data=envelope, files={"email": (None, mail)}, auth=("relay", SECRET))

    def by_postmark(self, mail: bytes) -> int | None:
        try:
            raw = mail.decode()
        except UnicodeDecodeError:
            # JSON has no other bytes.
            return None
        body = {"OriginalRecipient": SHOP, "Subject": "other", "RawEmail": raw}
        return self.post(self.basic, json=body, auth=("relay", SECRET))

    def fields(self, secret: str = SECRET, age: int = 0) -> dict[str, str]:
        timestamp, token = str(int(time.time()) - age), token_hex(25)
        signature = hmac.new(secret.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
        return {"recipient": SHOP, "timestamp": timestamp, "token": token, "signature": signature}

    def by_mailgun(self, mail: bytes, **more) -> int:
        body = urlencode(self.fields(**more) | {"body-mime": mail})
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return self.post(self.mailgun, content=body, headers=headers)

    def by_mailgun_parts(self, mail: bytes) -> int:
        return self.post(self.mailgun, data=self.fields(), files={"body-mime": (None, mail)})

    def post(self, line: Line, **request) -> int:
        return self.client.post(line.inbound, **request).status_code


def heard(relays: Relays) -> tuple[int, int]:
    """A mail has the same text and subject on each way."""
    mails = shapes()
    jobs = [(shape, number, way) for number, shape in enumerate(mails) for way in range(len(relays.ways))]

    def post(job: tuple[Shape, int, int]):
        shape, number, way = job
        status = relays.ways[way][1](shape.with_id(f"{number}.{way}@example.com"))
        if status not in (200, None):
            raise Objection(f"{shape.name}: status {status} of {relays.ways[way][1].__name__}")
        return status

    # The first mail creates the contact.
    stored = [post(jobs[0])]
    with ThreadPoolExecutor(max_workers=3) as pool:
        stored += pool.map(post, jobs[1:])
    lines = [relays.signed, relays.basic, relays.mailgun]
    found = {id(line): {it["provider_message_id"]: it for it in line.messages("inbound")} for line in lines}
    wrong = []
    for (shape, number, way), status in zip(jobs, stored, strict=True):
        line, post_by = relays.ways[way]
        message = found[id(line)].get(f"<{number}.{way}@example.com> {ADA}")
        if message is None:
            if status:
                wrong.append(f"{shape.name} by {post_by.__name__} is not stored")
            continue
        expected = (shape.text or shape.subject or "", shape.subject)
        read = (shown(message), message.get("subject"))
        if read != expected:
            wrong.append(f"{shape.name} by {post_by.__name__}: {read}, expected {expected}")
    if wrong:
        raise Objection("\n".join(wrong))
    return len(mails), sum(bool(it) for it in stored)


def names(relays: Relays):
    line = relays.basic
    for number, (header, address, name) in enumerate(senders()):
        mail = modern(f"from {address}").as_bytes()
        raw = b"\r\n".join(it for it in mail.split(b"\r\n") if not it.startswith(b"From: "))
        raw = f"From: {header}\r\nMessage-ID: <from{number}@example.com>\r\n".encode() + raw
        same(f"status of {header}", relays.by_basic(raw), 200)
        contact = line.contacts()[address]
        if address != ADA:
            same(f"name in {header}", contact["first_name"] or "", name)


def refused(relays: Relays) -> int:
    """Nothing of a forged mail is stored."""
    mail = modern("forged").as_bytes()
    before = [len(line.messages("inbound")) for line in (relays.signed, relays.basic, relays.mailgun)]
    wrong = [
        relays.by_standard_webhooks(mail, secret="whsec_" + base64.b64encode(b"f" * 32).decode()),
        relays.by_basic(mail, password=SECRET[:-1]), relays.by_basic(mail, password=""),
        relays.by_mailgun(mail, secret="other"), relays.by_mailgun(mail, age=600), relays.by_mailgun(mail, age=-600),
        relays.post(relays.basic, content=mail, headers={"content-type": "message/rfc822"}),
    ]
    same("status of forged mails", set(wrong), {401})
    after = [len(line.messages("inbound")) for line in (relays.signed, relays.basic, relays.mailgun)]
    same("mails after forged ones", after, before)
    return len(wrong)


def machines(relays: Relays) -> int:
    """Mails of programs are stored and change nothing."""
    line = relays.basic
    for number, header in enumerate(["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <a.example.com>",
                                     "X-Auto-Response-Suppress: All", "Return-Path: <>"]):
        raw = f"{header}\r\nMessage-ID: <auto{number}@example.com>\r\n".encode() + modern("STOP").as_bytes()
        same(f"status of {header}", relays.by_basic(raw), 200)
    identity = next(it for it in line.contacts()[ADA]["identities"] if it["channel_id"] == line.id)
    same("opt-in after mails of programs", identity["opted_in"], True)
    return 5


def sent(box: Mailbox, relays: Relays) -> int:
    """Outside parsers read the message, its thread and its recipient."""
    line = relays.basic
    question = modern("Tea?", "Grüße: " + "sehr lang " * 15).as_bytes()
    for number in range(3):
        relays.by_basic(f"Message-ID: <question{number}@example.com>\r\n".encode() + question)
    contact = line.contacts()[ADA]["id"]
    answered = next(it for it in line.messages("inbound") if it["provider_message_id"].startswith("<question2@"))
    texts = [
        "Hello", "Grüße 🦀 = =3D", ".\n..\nFrom Ada\n.x\n\nend", "x" * 2000, "word " * 400 + "end", "tab\t\ttab",
        "a\n\n\nb",
        "trailing \nspaces  \nhere", "-- not a signature", "日本語" * 300,
    ]
    messages = [{"text": text} for text in texts]
    subjects = ["New", "Grüße 🦀 " * 12, "a" * 200, "with: colon, \"quotes\" <a@b>"]
    # A mail program must not decode what a member wrote.
    subjects += ["=?utf-8?q?a?=", "a =?utf-8?b?Yg==?= c"]
    messages += [{"text": "Own subject", "subject": subject} for subject in subjects]
    messages.append({"text": "Which?", "quick_replies": [{"title": "Tea"}, {"title": "Kakao ☕"}]})
    for message in messages:
        before = len(box.mails)
        name = line.say(contact, {"type": "text"} | message)
        line.ends(name)
        [(sender, recipients, raw)] = box.mails[before:]
        same("envelope", (sender, recipients), (SHOP, [ADA]))
        check_mail(raw, line, name, message, answered)
    return len(messages)


def check_mail(raw: bytes, line: Line, name: str, message: dict, answered: dict):
    if b"\r" in raw.replace(b"\r\n", b"") or b"\n" in raw.replace(b"\r\n", b"") or not raw.isascii():
        raise Objection(f"{name}: a line does not end with CRLF, or it is not in ASCII")
    if (longest := max(len(it) for it in raw.split(b"\r\n"))) > 998:
        raise Objection(f"{name}: a line of {longest} bytes")
    mail: EmailMessage = email.message_from_bytes(raw, policy=email.policy.default)
    defects = mail.defects + [defect for header in mail.values() for defect in header.defects]
    same(f"defects of {name}", defects, [])
    for header in ("From", "To", "Date", "Message-ID", "Subject", "MIME-Version", "Content-Type"):
        same(f"number of {header}", len(mail.get_all(header, [])), 1)
    same("From", mail["From"].addresses, (Address(NAME, addr_spec=SHOP),))
    same("To", [address for _, address in getaddresses([mail["To"]])], [ADA])
    same("Message-ID", mail["Message-ID"], f"<{name}@shop.example>")
    same("Auto-Submitted", mail["Auto-Submitted"], "auto-generated")
    if abs((datetime.now(timezone.utc) - mail["Date"].datetime).total_seconds()) > 120:
        raise Objection(f"the date of {name}: {mail['Date']}")
    replies = "".join(f"\n{number}. {it['title']}" for number, it in enumerate(message.get("quick_replies", []), 1))
    text = message["text"] + (f"\n{replies}" if replies else "")
    same(f"type of {name}", mail.get_content_type(), "multipart/alternative")
    plain, html = (mail.get_body((kind,)).get_content() for kind in ("plain", "html"))
    same(f"text of {name}", plain.replace("\r\n", "\n"), text + "\n")
    page = Page()
    page.feed(html)
    page.close()
    same(f"text of the HTML of {name}", " ".join("".join(page.texts).split()), " ".join(text.split()))
    same(f"tags of the HTML of {name}", page.tags - {"html", "head", "meta", "body", "div", "br", "a"}, set())
    if "subject" in message:
        same("subject", mail["Subject"], message["subject"].strip())
        same("thread of a new subject", (mail["In-Reply-To"], mail["References"]), (None, None))
    else:
        answer = answered["provider_message_id"].split(" ")[0]
        same("subject", mail["Subject"], f"Re: {answered['subject']}".strip())
        same("In-Reply-To", mail["In-Reply-To"], answer)
        references = mail["References"].split()
        same("end of References", references[-1], answer)
        if len(set(references)) < len(references) or not all(it[0] + it[-1] == "<>" for it in references):
            raise Objection(f"References of {name}: {references}")
    other = mailparser.parse_from_bytes(raw)
    same("defects found by mail-parser", other.defects, [])
    same("Message-ID read by mail-parser", other.message_id, mail["Message-ID"])
    same("subject read by mail-parser", other.subject, mail["Subject"])
    same("From read by mail-parser", other.from_, [(NAME, SHOP)])
    same("text read by mail-parser", "".join(other.text_plain).replace("\r\n", "\n").rstrip("\n"), text)


def returned(box: Mailbox, relays: Relays) -> int:
    """A report of a mail server (RFC 3464) changes the status of its message."""
    line = relays.basic
    contact = line.contacts()[ADA]["id"]
    for number, (action, status, expected) in enumerate([("delayed", "4.4.7", "sent"), ("failed", "5.2.2", "failed")]):
        name = line.say(contact, {"type": "text", "text": "Hello"})
        line.ends(name)
        about = email.message_from_bytes(box.mails[-1][2])
        fields = Message()
        fields["Final-Recipient"], fields["Action"], fields["Status"] = f"rfc822; {ADA}", action, status
        fields["Diagnostic-Code"] = "smtp; 552 mailbox full"
        server = Message()
        server["Reporting-MTA"] = "dns; mail.example"
        report = MIMEBase("message", "delivery-status")
        report.set_payload([server, fields])
        notice = MIMEMultipart("report", None, [MIMEText("It came back."), report, MIMEMessage(about)],
                               **{"report-type": "delivery-status"})
        notice["From"], notice["To"], notice["Subject"] = "MAILER-DAEMON@mail.example", SHOP, "Undelivered"
        raw = f"Message-ID: <report{number}@mail.example>\r\n".encode() + crlf(notice.as_bytes())
        same(f"status of a report of {action}", relays.by_basic(raw), 200)
        same(f"status of a message after {action}", line.call("GET", f"messages/{name}")["status"], expected)
    return 2


def unsubscribed(box: Mailbox, relays: Relays):
    """A mail of a flow names the address of RFC 2369. A mail program that writes to it opts the contact out."""
    line = relays.basic
    contact = line.contacts()[ADA]["id"]
    node = {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Offer"}, "next": "end"}
    definition = {"start": "hi", "nodes": [node, {"id": "end", "type": "end"}]}
    flow = line.call("POST", "flows", {"name": "Offer", "definition": definition})["id"]
    line.call("POST", f"flows/{flow}/publish")
    before = len(box.mails)
    line.call("POST", f"contacts/{contact}/start-flow", {"flow_id": flow})
    until("the mail of the flow", lambda: len(box.mails) > before)
    sent = email.message_from_bytes(box.mails[-1][2], policy=email.policy.default)
    same("Auto-Submitted of a flow's mail", sent["Auto-Submitted"], "auto-generated")
    links = [urlsplit(it.strip().strip("<>")) for it in sent["List-Unsubscribe"].split(",")]
    link = next(it for it in links if it.scheme == "mailto")
    same("address of List-Unsubscribe", unquote(link.path), SHOP)
    leave = modern("This mail was sent by a program.", parse_qs(link.query)["subject"][0]).as_bytes()
    same("status of the mail to unsubscribe", relays.by_basic(b"Message-ID: <leave@example.com>\r\n" + leave), 200)
    identity = next(it for it in line.contacts()[ADA]["identities"] if it["channel_id"] == line.id)
    same("opt-in after unsubscribing", identity["opted_in"], False)
    until("the mail that confirms the opt-out", lambda: len(box.mails) > before + 1)
    confirmation = email.message_from_bytes(box.mails[-1][2], policy=email.policy.default)
    same("Auto-Submitted of the confirmation", confirmation["Auto-Submitted"] is None, False)


def by_a_person(box: Mailbox, line: Line):
    """A mail that a member writes is not marked as automatic."""
    contact = line.contacts()[ADA]["id"]
    owner = line.server.new_person(line.workspace, "owner")
    token = line.server.sign_in(owner)
    before = len(box.mails)
    path = f"/api/v1/contacts/{contact}/send-message"
    name = line.server.call("POST", path, {"type": "text", "text": "By hand"}, token)["id"]
    line.ends(name)
    mail = email.message_from_bytes(box.mails[before][2], policy=email.policy.default)
    same("Auto-Submitted of a person's mail", mail["Auto-Submitted"], None)


def starttls(server, folder: Path) -> int:
    """With STARTTLS, the server only accepts mail on the encrypted connection."""
    box = Mailbox(folder, "starttls")
    try:
        line = Line(server, channel(box, "basic", tls="starttls"))
        identity = {"channel_id": line.id, "address": ADA, "opted_in": True}
        contact = line.call("POST", "contacts", {"identities": [identity]})["id"]
        line.ends(line.say(contact, {"type": "text", "text": "Hello"}))
        same("mails", len(box.mails), 1)
    finally:
        box.close()
    box = Mailbox(folder, "none")
    try:
        for tls, step in (("starttls", "tls"), ("implicit", "connect")):
            made = httpx.post(
                f"{server.base}/api/v1/channels", headers={"Authorization": f"Bearer {line.key}"}, timeout=30,
                json={"name": "Without TLS"} | channel(box, "basic", tls=tls),
            )
            same(f"set-up with {tls} at a server without TLS", (made.status_code, made.json().get("step")), (409, step))
        same("mails without TLS", box.mails, [])
    finally:
        box.close()
    return 1


def mail(_: Path, server) -> str:
    folder = server.folder
    box = Mailbox(folder, "implicit")
    try:
        relays = Relays(server, folder, box)
        kinds, posted = heard(relays)
        names(relays)
        numbers = (refused(relays), machines(relays), sent(box, relays) + starttls(server, folder))
        reports = returned(box, relays)
        unsubscribed(box, relays)
        by_a_person(box, relays.signed)
    finally:
        box.close()
    return "email, mail-parser, aiosmtpd: {} kinds of mails read the same on {} posts, {} forged ones refused, " \
        "{} of programs, {} mails parsed, {} reports".format(kinds, posted, *numbers, reports)
