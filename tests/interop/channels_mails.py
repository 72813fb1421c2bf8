"""Mails of contacts in many shapes, written by Python's `email`. Each has the text that a person sees."""

import email.policy
import re
from collections.abc import Iterator
from email import charset, encoders
from email.header import Header
from email.message import EmailMessage, Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr, localtime

SHOP, ADA = "hello@shop.example", "ada@example.com"
GREETING = "Grüße aus Zürich"


class Shape:
    """A mail. `subject` is `None` if it has none. `name` describes it in an objection."""

    def __init__(self, name: str, raw: bytes, text: str, subject: str | None = "A question"):
        self.name, self.raw, self.text, self.subject = name, raw, text, subject

    def with_id(self, message_id: str) -> bytes:
        """The mail with this ID."""
        return f"Message-ID: <{message_id}>\r\n".encode() + self.raw


def crlf(raw: bytes) -> bytes:
    return re.sub(rb"\r?\n", b"\r\n", raw)


def head(message: Message, subject: str | None = "A question", sender: str = f"Ada King <{ADA}>"):
    message["From"], message["To"], message["Date"] = sender, SHOP, format_datetime(localtime())
    if subject is not None:
        message["Subject"] = subject
    return message


def modern(text: str, subject: str | None = "A question", policy=email.policy.SMTP, **content) -> EmailMessage:
    message = head(EmailMessage(policy), subject)
    message.set_content(text, **content)
    return message


def classic(text: str, name: str, encoding: int | None) -> bytes:
    """A text in a charset, as old mail programs write it. `encoding` is `charset.QP`, `charset.BASE64` or `None` for
    bytes without encoding."""
    part = MIMENonMultipart("text", "plain")
    own = charset.Charset(name)
    own.body_encoding = encoding
    part.set_param("charset", name)
    head(part)
    if encoding is None:
        part["Content-Transfer-Encoding"] = "8bit"
        return crlf(part.as_bytes()) + text.encode(name)
    part.set_payload(text.encode(name))
    (encoders.encode_base64 if encoding == charset.BASE64 else encoders.encode_quopri)(part)
    return crlf(part.as_bytes())


def multipart(kind: str, *parts: Message, subject: str = "A question", **parameters) -> bytes:
    message = head(MIMEMultipart(kind, **parameters), subject)
    for part in parts:
        message.attach(part)
    return crlf(message.as_bytes())


def charsets() -> Iterator[Shape]:
    for name, text in [
        ("us-ascii", "Hello"), ("utf-8", f"{GREETING} 🦀"), ("iso-8859-1", GREETING), ("iso-8859-15", "5 €"),
        ("windows-1252", "“5 €” – ok"), ("iso-8859-2", "Žluťoučký kůň"), ("windows-1251", "Привет"),
        ("koi8-r", "Привет"),
        ("iso-2022-jp", "こんにちは"), ("shift_jis", "こんにちは"), ("euc-jp", "こんにちは"), ("gb18030", "你好"),
        ("big5", "你好"), ("euc-kr", "안녕하세요"), ("iso-8859-7", "Καλημέρα"),
    ]:
        yield Shape(f"{name} in quoted-printable", classic(text, name, charset.QP), text)
    yield Shape("utf-8 in base64", classic(GREETING, "utf-8", charset.BASE64), GREETING)
    yield Shape("windows-1252 in base64", classic("5 €", "windows-1252", charset.BASE64), "5 €")
    yield Shape("utf-8 in 8bit", classic(GREETING, "utf-8", None), GREETING)
    yield Shape("iso-8859-1 in 8bit", classic(GREETING, "iso-8859-1", None), GREETING)


def subjects() -> Iterator[Shape]:
    for subject in ["Grüße 🦀", "こんにちは世界" * 8, "a" * 150, "Re: Re: question?", "=?no=?= encoded", "tab in subject"]:
        yield Shape(f"the subject {subject[:20]}", modern("Hi", subject).as_bytes(), "Hi", subject)
    encoded = head(MIMEText("Hi"), None)
    encoded["Subject"] = Header("Žluťoučký kůň", "iso-8859-2", header_name="Subject")
    yield Shape("a subject in iso-8859-2", crlf(encoded.as_bytes()), "Hi", "Žluťoučký kůň")
    raw = crlf(head(MIMEText("Hi"), None).as_bytes())
    yield Shape("a folded subject", b"Subject: one\r\n two\r\n\tthree\r\n" + raw, "Hi", "one two three")
    yield Shape("no subject", raw, "Hi", None)


def bodies() -> Iterator[Shape]:
    yield Shape("long lines", modern("word " * 400 + "end").as_bytes(), "word " * 400 + "end")
    yield Shape("dots and From", modern(".\n..\nFrom Ada\n.x\n").as_bytes(), ".\n..\nFrom Ada\n.x")
    yield Shape("equals signs", modern("a=b\n=41=\n = =3D ä", cte="quoted-printable").as_bytes(), "a=b\n=41=\n = =3D ä")
    yield Shape("empty lines", modern("\n\none\n\n\n\ntwo\n\n").as_bytes(), "one\n\n\n\ntwo")
    yield Shape("only a subject", modern("", "Just this").as_bytes(), "Just this", "Just this")
    yield Shape("bare line feeds", modern("one\ntwo", policy=email.policy.default).as_bytes(), "one\ntwo")


def structures() -> Iterator[Shape]:
    both = modern("plain text")
    both.add_alternative("<p>html <b>text</b></p>", subtype="html")
    yield Shape("alternative", both.as_bytes(), "plain text")
    html = "<html><body><p>Hello <b>Ada</b>,</p><p>bye &amp; thanks &euro;</p><script>x</script></body></html>"
    yield Shape("html only", modern(html, subtype="html").as_bytes(), "Hello Ada,\nbye & thanks €")
    latin = MIMEText("<p>Gr&uuml;ße</p>", "html", "iso-8859-1")
    yield Shape("html in iso-8859-1", multipart("alternative", latin), "Grüße")
    related = modern("see the picture")
    related.add_alternative('<p>see <img src="cid:a"></p>', subtype="html")
    related.get_payload()[1].add_related(b"\x89PNG", "image", "png", cid="<a>")
    yield Shape("related in alternative", related.as_bytes(), "see the picture\n[file] file")
    mixed = modern("the invoice")
    mixed.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="invoice.pdf")
    yield Shape("an attachment", mixed.as_bytes(), "the invoice\n[file] invoice.pdf")
    named = modern("the bill")
    named.add_attachment(b"x", maintype="application", subtype="pdf", filename="Rechnung für Zürich – März.pdf")
    yield Shape("a file name in RFC 2231", named.as_bytes(), "the bill\n[file] Rechnung für Zürich – März.pdf")
    hostile = modern("a file")
    hostile.add_attachment(b"x", maintype="application", subtype="pdf", filename="../../etc/passwd")
    yield Shape("a path as the file name", hostile.as_bytes(), "a file\n[file] passwd")
    nested = MIMEText("inside")
    for kind in ("alternative", "related", "mixed", "mixed"):
        outer = MIMEMultipart(kind)
        outer.attach(nested)
        nested = outer
    yield Shape("nested multiparts", crlf(head(nested).as_bytes()), "inside")
    signed = MIMEBase("application", "pkcs7-signature", name="smime.p7s")
    signed.set_payload(b"MIIB")
    parts = multipart("signed", MIMEText("signed text"), signed, protocol="application/pkcs7-signature")
    yield Shape("signed", parts, "signed text\n[file] smime.p7s")
    yield Shape("two texts", multipart("mixed", MIMEText("first"), MIMEText("second")), "first\nsecond")
    border = multipart("mixed", MIMEText("with a border"), boundary="=_b'()+_,-./:=? end")
    yield Shape("a border with each allowed character", border, "with a border")
    bare = MIMEText("a type without a subtype")
    bare.replace_header("Content-Type", "text; charset=us-ascii")
    yield Shape("no subtype", crlf(head(bare).as_bytes()), "a type without a subtype")
    yield Shape("markdown", modern("*marked*", subtype="markdown").as_bytes(), "*marked*")
    preamble = head(MIMEMultipart("mixed"))
    preamble.preamble, preamble.epilogue = "This is a message in MIME format.", "the end"
    preamble.attach(MIMEText("between"))
    yield Shape("a preamble and an epilogue", crlf(preamble.as_bytes()), "between")


def replies() -> Iterator[Shape]:
    quoted = "Yes, please.\n\nOn Tue, 1 Dec 2026 at 10:15 Shop <hello@shop.example> wrote:\n> Tea?\n> Cake?\n"
    yield Shape("a quoted mail", modern(quoted).as_bytes(), "Yes, please.")
    yield Shape("a signature", modern("Yes.\n\n-- \nAda King\nLondon").as_bytes(), "Yes.")
    flowed = modern("placeholder")
    flowed.replace_header("Content-Type", "text/plain; charset=utf-8; format=flowed")
    flowed.set_payload("One long \nline.\nTwo")
    yield Shape("format=flowed", flowed.as_bytes(), "One long line.\nTwo")


def shapes() -> list[Shape]:
    return [*charsets(), *subjects(), *bodies(), *structures(), *replies()]


def senders() -> list[tuple[str, str, str]]:
    """Values of `From`, with the address and the name that a person sees."""
    return [
        (f"Ada <{ADA}>", ADA, "Ada"), (formataddr(("King, Ada", "ada1@example.com")), "ada1@example.com", "King, Ada"),
        (formataddr(("Zoë Müller", "zoe@example.com")), "zoe@example.com", "Zoë Müller"),
        ("(Ada) ada2@example.com", "ada2@example.com", "Ada"), ("ADA3@EXAMPLE.COM", "ada3@example.com", ""),
        ("=?utf-8?b?8J+mgA==?= <crab+tag@example.com>", "crab+tag@example.com", "🦀"),
        ('"Ada \\"the first\\" King" <ada4@example.com>', "ada4@example.com", 'Ada "the first" King'),
    ]
