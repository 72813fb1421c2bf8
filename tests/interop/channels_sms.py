"""Judges `sms` channels by the libraries of Twilio: `twilio` of PyPI signs requests and builds the expected calls, and
`sms-segments-calculator` of npm counts segments."""

import base64
import hashlib
import json
import logging
import subprocess
from pathlib import Path
from urllib.parse import urlencode

from twilio.http import HttpClient
from twilio.http.response import Response
from twilio.request_validator import RequestValidator
from twilio.rest import Client

from channels_provider import PUBLIC_URL, Line, Objection, Provider, same, until

SID = "AC0123456789abcdef0123456789abcdef"
TOKEN = "0123456789abcdef0123456789abcdef"
NUMBER, ADA = "+15005550006", "+491711234567"
FORM, JSON = "application/x-www-form-urlencoded; charset=UTF-8", "application/json"


class Account:
    """The part of https://www.twilio.com/docs/usage/api that a channel with a number calls."""

    def __init__(self):
        self.address, self.sent = "", []

    def respond(self, call):
        root = f"/2010-04-01/Accounts/{SID}"
        if call.path == f"{root}.json":
            return 200, {"sid": SID, "friendly_name": "Shop", "status": "active"}
        if (call.method, call.path) == ("GET", f"{root}/IncomingPhoneNumbers.json"):
            number = {"sid": "PN6", "phone_number": NUMBER, "sms_url": self.address, "sms_application_sid": ""}
            return 200, {"incoming_phone_numbers": [number]}
        if call.path == f"{root}/IncomingPhoneNumbers/PN6.json":
            self.address = dict(call.form())["SmsUrl"]
            return 200, {"sid": "PN6"}
        if (call.method, call.path) == ("GET", f"{root}/Messages.json"):
            return 200, {"messages": []}
        if (call.method, call.path) == ("POST", f"{root}/Messages.json"):
            self.sent.append(call)
            return 201, {"sid": f"SM{len(self.sent):032}", "status": "queued", "num_segments": "1"}
        raise Objection("an unknown resource")


class Recorder(HttpClient):
    """Records the call of Twilio's client instead of sending it."""

    def __init__(self):
        super().__init__(logging.getLogger("twilio"), is_async=False)

    def request(self, method, uri, params=None, data=None, headers=None, auth=None, **_):
        self.recorded = (method, uri, data, auth)
        return Response(201, json.dumps({"sid": "SM1"}))


class Parameters(dict):
    """Parameters with several values, in the form of Flask."""

    def getall(self, name):
        return self[name]


class Relay:
    """Signs requests as Twilio does, and posts them."""

    def __init__(self, line: Line):
        self.line, self.validator, self.number = line, RequestValidator(TOKEN), 0

    def fields(self, **more) -> list[tuple[str, str]]:
        self.number += 1
        known = {"MessageSid": f"SM{self.number:032x}", "AccountSid": SID, "From": ADA, "To": NUMBER, "NumMedia": "0"}
        return list((known | more).items())

    def signature(self, url: str, fields: list[tuple[str, str]]) -> str:
        names = {name for name, _ in fields}
        return self.validator.compute_signature(
            url, Parameters({name: [value for own, value in fields if own == name] for name in names})
        )

    def post(self, fields, url=None, query="", signature=None, status=200, body=None) -> bytes:
        url = (self.line.public if url is None else url) + query
        signed = self.signature(url, fields) if signature is None else signature
        body = urlencode(fields).encode() if body is None else body
        headers = {"Content-Type": FORM} | ({"X-Twilio-Signature": signed} if signed else {})
        found, answer = self.line.post(body, headers, query)
        same(f"status for {fields[-1]} signed for {url}", found, status)
        return answer


def accepted(relay: Relay):
    """Requests that Twilio signs are accepted, whatever their parameters are."""
    line = relay.line
    texts = ["Hi", "Zoë 🦀 %+&=?/\\\"'", "  two  spaces  ", "a\nb\r\nc", "= & ; + %41", "日本語 \u202e", "é" * 500]
    for text in texts:
        answer = relay.post(relay.fields(Body=text))
        if b"<Response" not in answer or b"<Message" in answer:
            raise Objection(f"the answer would be sent as a message: {answer!r}")
    heard = [it["text"] for it in line.messages("inbound")]
    same("texts of the contact", sorted(heard), sorted(text.rstrip() for text in texts))

    count = len(heard)
    repeated = relay.fields(Body="repeated") + [("Other", "b"), ("Other", "a"), ("Other", "b"), ("Empty", "")]
    relay.post(repeated)
    relay.post(relay.fields(Body="with its port"), url=f"{PUBLIC_URL}:443{line.inbound}")
    relay.post(relay.fields(Body="with a query"), query="?message=x&b=%C3%A9")
    body = json.dumps(dict(relay.fields(Body="as JSON 🦀"))).encode()
    query = f"?bodySHA256={hashlib.sha256(body).hexdigest()}"
    signed = relay.validator.compute_signature(line.public + query, {})
    for sent, status in [(body, 200), (body + b" ", 401)]:
        found, _ = line.post(sent, {"Content-Type": JSON, "X-Twilio-Signature": signed}, query)
        same(f"status for a JSON body of {len(sent)} bytes", found, status)
    relay.post(repeated)
    same("messages after a repeat", len(line.messages("inbound")), count + 4)
    return len(texts) + 4


def refused(relay: Relay, other: Line):
    """Requests that the validator would refuse are refused, and nothing of them is stored."""
    line = relay.line
    count, fields = len(line.messages("inbound")), relay.fields(Body="forged")
    right = relay.signature(line.public, fields)
    forged = RequestValidator("f" * 32).compute_signature(line.public, dict(fields))
    altered = right[:-2] + ("E=" if right[-2] == "A" else "A=")
    wrong = [
        ("", None), (forged, None), (altered, None), (right[:-1], None), (right.lower(), None),
        ("AAAA", None), (right, urlencode(fields[:-1] + [("Body", "changed")]).encode()),
        (right, urlencode(fields + [("Body", "twice")]).encode()), (right, b""),
    ]
    for signature, body in wrong:
        relay.post(fields, signature=signature, body=body, status=401)
    evil = "https://evil.example" + line.inbound
    for url in [line.public.replace("https:", "http:"), line.public + "/", evil, other.public]:
        relay.post(fields, signature=relay.signature(url, fields), status=401)
    found, _ = other.post(urlencode(fields).encode(), {"Content-Type": FORM, "X-Twilio-Signature": right})
    same("status at the address of another channel", found, 401)
    same("messages after forged requests", len(line.messages("inbound")), count)
    same("bodies that are kept", [it["reason"] for it in line.unparsed()], [])
    return len(wrong) + 5


def sent(account: Account, relay: Relay):
    """The calls are those of Twilio's own client."""
    line = relay.line
    contact = line.contacts()[ADA]["id"]
    messages = [
        {"type": "text", "text": "Hello"},
        {"type": "text", "text": "Zoë 🦀 & = + %\nnext"},
        {"type": "text", "text": "Which colour?", "quick_replies": [{"title": "Red"}, {"title": "Blue"}]},
        {"type": "text", "text": " ".join(["word"] * 500)},
    ]
    for message in messages:
        before = len(account.sent)
        name = line.say(contact, message)
        line.ends(name)
        calls = account.sent[before:]
        texts = []
        for number, call in enumerate(calls, 1):
            form = dict(call.form())
            texts.append(form["Body"])
            recorder = Recorder()
            client = Client(SID, TOKEN, http_client=recorder)
            client.messages.create(to=ADA, from_=NUMBER, body=form["Body"], status_callback=form["StatusCallback"])
            method, uri, data, auth = recorder.recorded
            same("method and path", (call.method, call.path), (method, uri.removeprefix("https://api.twilio.com")))
            same("form", form, data)
            same("media type", call.headers["content-type"], "application/x-www-form-urlencoded")
            same("log-in", call.headers["authorization"], "Basic " + base64.b64encode(":".join(auth).encode()).decode())
            if len(form["Body"]) > 1600:
                raise Objection(f"a body of {len(form['Body'])} characters")
            callback = form["StatusCallback"].removeprefix(line.public).partition("#")[0]
            if f"part={number}" not in callback:
                raise Objection(f"the callback does not name the part: {callback}")
            if number == len(calls):
                report = [("MessageSid", f"SM{len(account.sent):032}"), ("MessageStatus", "delivered"), ("To", ADA)]
                relay.post(report, query=callback)
        shown = message["text"].split() + [it["title"] for it in message.get("quick_replies", [])]
        same("words", [it for it in " ".join(texts).split() if it not in ("1.", "2.")], shown)
        until("the report arrives", lambda: line.call("GET", f"messages/{name}")["status"] == "delivered")
    return len(messages)


def segment_texts() -> list[str]:
    """Texts around each border of the encodings."""
    texts = [unit * count for unit in ("x", "ß", "€", "ж", "中", "ç", "á")
             for count in (1, 67, 70, 71, 134, 135, 153, 160, 161, 306, 307)]
    texts += ["x" * count + mark for mark in ("€", "[", "^", "🦀", "ё", "👩‍👩‍👧", "e\u0301", "🇩🇪", "👍🏽")
              for count in (0, 66, 68, 69, 133, 151, 152, 153, 158, 159)]
    texts += ["ж" * count + "🦀" + "ж" * 70 for count in (64, 65, 66, 67, 68)]
    texts += ["Grüße aus München, Ärger & Öl", "¿Qué tal? ¡Señor!", "Ça va? Garçon", "naïve café", "“quoted” – dash…",
              "@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜ§¿äöñüà", "tab\tstop", "line\nline", "ﬁ ligature", "`backtick`",
              "a\u00a0b"]
    return texts


def segments(tools: Path, line: Line):
    texts = segment_texts()
    counted = subprocess.run(
        ["node", Path(__file__).with_name("segments.mjs"), tools / "node"],
        input=json.dumps(texts), capture_output=True, text=True, check=True,
    )
    names = {"GSM-7": "gsm7", "UCS-2": "ucs2"}
    wrong = []
    for text, expected in zip(texts, json.loads(counted.stdout), strict=True):
        preview = line.call("POST", f"channels/{line.id}/preview", {"message": {"type": "text", "text": text}})
        found = preview["segments"]
        if (found["encoding"], found["count"]) != (names[expected["encoding"]], expected["count"]):
            wrong.append(f"{len(text)} characters, {text[-20:]!r}: {found}, expected {expected}")
    if wrong:
        raise Objection("segments:\n" + "\n".join(wrong))
    return len(texts)


def sms(tools: Path, server) -> str:
    account = Account()
    provider = Provider(account.respond)
    channel = {"kind": "sms", "config": {"account_sid": SID, "from": NUMBER, "base_url": provider.url},
               "secrets": {"auth_token": TOKEN}}
    line, other = Line(server, channel), Line(server, channel)
    account.address = ""
    line.call("POST", f"channels/{line.id}/connect", {})
    same("address of the number", account.address.partition("#")[0], line.public)
    relay = Relay(line)
    done = (accepted(relay), refused(relay, other), sent(account, relay), segments(tools, line))
    provider.close()
    return "twilio: {} signed requests accepted, {} forged ones refused, {} messages as its client sends them; " \
        "sms-segments-calculator: {} texts".format(*done)
