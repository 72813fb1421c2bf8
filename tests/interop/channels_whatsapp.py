"""Judges `whatsapp` channels by `pywa`: its client sends the same messages, and it reads the same from each webhook."""

import hashlib
import hmac
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import httpx
from pywa import WhatsApp
from pywa.handlers import CallbackButtonHandler, CallbackSelectionHandler, MessageHandler, MessageStatusHandler
from pywa.types import Button, Section, SectionList, SectionRow
from pywa.types.templates import BodyText, HeaderText, TemplateLanguage, URLButton

from channels_provider import Line, Objection, Provider, same, shown, until

TOKEN, APP_SECRET = "EAAJBr1o8ZBxYBAKqs2ZCv", "614fc2afde15eee07a26b2fe3eaee9b9"
NUMBER, ACCOUNT = "106540352242922", "102290129340398"
ADA, USER = "491711234567", "DE.13491208655302741918"
VERSION = "v25.0"
LARGEST = 3 * 1024 * 1024


class Graph:
    """The part of the Graph API that a channel calls."""

    def __init__(self, server):
        self.server, self.address, self.sent = server, "", []

    def respond(self, call):
        same("authorization", call.headers["authorization"], f"Bearer {TOKEN}")
        path = call.path.removeprefix(f"/{VERSION}/")
        match (call.method, path):
            case ("GET", path) if path == NUMBER:
                configuration = {"application": "https://app.example", "phone_number": self.address}
                return 200, {"id": NUMBER, "display_phone_number": "+49 30 1", "verified_name": "Shop",
                             "quality_rating": "GREEN", "webhook_configuration": configuration}
            case ("POST", path) if path == NUMBER:
                webhook = call.json()["webhook_configuration"]
                self.address = webhook["override_callback_uri"]
                if self.address:
                    self.challenge(webhook["verify_token"])
            case ("POST", path) if path == f"{ACCOUNT}/subscribed_apps":
                pass
            case ("GET", path) if path == f"{ACCOUNT}/message_templates":
                return 200, {"data": []}
            case ("POST", path) if path == f"{NUMBER}/messages":
                self.sent.append(call.json())
                to = self.sent[-1].get("to", "")
                return 200, {"messaging_product": "whatsapp", "contacts": [{"input": to, "wa_id": to}],
                             "messages": [{"id": f"wamid.{len(self.sent)}"}]}
            case ("GET", _):
                error = {"message": "Unsupported get request.", "type": "GraphMethodException", "code": 100}
                return 400, {"error": error}
            case _:
                raise Objection("an unknown object")
        return 200, {"success": True}

    def challenge(self, token: str):
        """Checks the address as Meta does."""
        base = self.server.base + "/inbound/" + self.address.rpartition("/")[2]
        for verify, status in ((token, 200), (token + "x", 403)):
            query = {"hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": verify}
            answer = httpx.get(f"{base}?{urlencode(query)}")
            same("status of the challenge", answer.status_code, status)
            if status == 200:
                same("challenge", answer.text, "1158201444")


class Pywa:
    """The client of pywa. It records its calls, and what it reads from webhooks."""

    def __init__(self):
        # It reports each forged signature.
        logging.getLogger("pywa").setLevel(logging.CRITICAL)
        self.calls, self.read = [], []
        transport = httpx.MockTransport(self.record)
        self.client = WhatsApp(
            phone_id=NUMBER, token=TOKEN, session=httpx.Client(transport=transport), app_secret=APP_SECRET,
            api_version=float(VERSION[1:]), server=None, skip_duplicate_updates=False,
        )
        for handler in (MessageHandler, CallbackButtonHandler, CallbackSelectionHandler, MessageStatusHandler):
            self.client.add_handlers(handler(lambda _, update: self.read.append(update)))

    def record(self, request: httpx.Request) -> httpx.Response:
        self.calls.append((request.url.path, json.loads(request.content)))
        contact = {"input": ADA, "wa_id": ADA, "user_id": USER}
        message = {"id": "wamid.1", "message_status": "accepted"}
        return httpx.Response(200, json={"contacts": [contact], "messages": [message]})

    def last(self) -> dict:
        path, body = self.calls[-1]
        same("path", path, f"/{VERSION}/{NUMBER}/messages")
        return normal(body)

    def reads(self, body: bytes):
        """What pywa reads from a webhook, after it has checked the signature."""
        refusal = self.client.webhook_update_validator(body, signature(body))
        same("pywa's check of the signature", refusal, None)
        self.read.clear()
        self.client.webhook_update_handler(body)
        if len(self.read) != 1:
            raise Objection(f"pywa reads {len(self.read)} updates from {body[:300]!r}")
        return self.read[0]


def normal(body, name: str = ""):
    """A body without members that have their default value. Meta compares these names without case."""
    if isinstance(body, dict):
        kept = [(key, normal(value, key)) for key, value in body.items()]
        return {key: value for key, value in kept if (key, value) not in (("preview_url", False), ("title", ""))}
    if isinstance(body, list):
        return [normal(value) for value in body]
    return str(body).lower() if name in ("type", "sub_type", "index") else body


def signature(body: bytes, secret: str = APP_SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def escaped(value) -> bytes:
    """JSON as Meta writes it: with escaped slashes and escapes for all characters outside of ASCII."""
    return json.dumps(value, separators=(",", ":")).replace("/", "\\/").encode()


class Meta:
    """Posts webhooks as Meta does."""

    def __init__(self, line: Line, graph: Graph):
        self.line, self.graph, self.number = line, graph, 0

    def value(self, **more) -> dict:
        metadata = {"display_phone_number": "49301", "phone_number_id": NUMBER}
        return {"messaging_product": "whatsapp", "metadata": metadata} | more

    def body(self, *values: dict) -> bytes:
        changes = [{"value": value, "field": "messages"} for value in values]
        return escaped({"object": "whatsapp_business_account", "entry": [{"id": ACCOUNT, "changes": changes}]})

    def message(self, **more) -> dict:
        self.number += 1
        contact = {"profile": {"name": "Ada King"}, "wa_id": ADA, "user_id": USER}
        written = {"from": ADA, "from_user_id": USER, "id": f"wamid.in{self.number}", "timestamp": "1767225600"} | more
        return self.value(contacts=[contact], messages=[written])

    def status(self, wamid: str, status: str, **more) -> dict:
        report = {"id": wamid, "status": status, "timestamp": "1767225600", "recipient_id": ADA,
                  "recipient_user_id": USER} | more
        return self.value(contacts=[{"wa_id": ADA, "user_id": USER}], statuses=[report])

    def post(self, body: bytes, signed: str | None = None, status: int = 200):
        headers = {"Content-Type": "application/json"}
        if signed != "":
            headers["X-Hub-Signature-256"] = signed or signature(body)
        found, _ = self.line.post(body, headers)
        same(f"status for {body[:200]!r}", found, status)


def heard(meta: Meta, pywa: Pywa) -> int:
    """Tidings stores what pywa reads."""
    line = meta.line
    media = {"id": "1234", "mime_type": "image/jpeg", "sha256": "YQ=="}
    shapes = [
        ("text", {"body": "Hi"}), ("text", {"body": "Zoë 🦀 a/b \\ \"quoted\" \u2028."}), ("text", {"body": "x" * 4096}),
        ("image", media | {"caption": "My cat"}), ("video", media | {"mime_type": "video/mp4", "caption": "Film"}),
        ("document", media | {"filename": "bill.pdf", "mime_type": "application/pdf", "caption": "The bill"}),
        ("button", {"payload": "yes", "text": "Yes, please"}),
        ("interactive", {"type": "button_reply", "button_reply": {"id": "b1", "title": "Tea"}}),
        ("interactive", {"type": "list_reply", "list_reply": {"id": "r1", "title": "Cake", "description": "cream"}}),
        ("audio", media | {"mime_type": "audio/ogg", "voice": True}),
        ("sticker", media | {"mime_type": "image/webp", "animated": False}),
        ("location", {"latitude": 52.5163, "longitude": 13.3777, "name": "Gate"}),
        ("contacts", [{"name": {"formatted_name": "Bo Smith", "first_name": "Bo"}, "phones": [{"phone": "+4930"}]}]),
    ]
    for kind, content in shapes:
        more = {"context": {"from": "49301", "id": "wamid.0"}} if kind in ("button", "interactive") else {}
        body = meta.body(meta.message(type=kind, **{kind: content}, **more))
        expected = pywa.reads(body)
        meta.post(body)
        rows = {it["provider_message_id"]: it for it in line.messages("inbound")}
        found = rows.get(expected.id)
        if found is None:
            raise Objection(f"{kind} {expected.id} is not stored")
        words = next(filter(None, (getattr(expected, name, None) for name in ("text", "title", "caption"))), None)
        if words and words not in shown(found):
            raise Objection(f"{kind}: pywa reads {words!r}, Tidings {shown(found)!r}")
        if kind in ("text", "button", "interactive"):
            same(f"text of {kind}", found["text"], words)
        if not found["text"] and not found["attachments"]:
            raise Objection(f"{kind} is empty")
    contact = line.contacts()[expected.from_user.wa_id]
    same("name", contact["first_name"], expected.from_user.name)
    same("phone", contact["phone"], "+" + expected.from_user.wa_id)
    return len(shapes)


def refused(meta: Meta, pywa: Pywa) -> int:
    """Only what pywa accepts is accepted. A repeated batch adds what is missing."""
    line = meta.line
    before = len(line.messages("inbound"))
    body = meta.body(meta.message(type="text", text={"body": "forged 🦀"}))
    right = signature(body)
    again = json.dumps(json.loads(body), ensure_ascii=False).encode()
    wrong = [(body, "sha256=" + "0" * 64), (body, signature(body, "other")), (body, right[:-1]), (body + b" ", right),
             (again, right), (body, "sha1=" + right[7:]), (body, "sha256=")]
    for sent, signed in wrong:
        if pywa.client.webhook_update_validator(sent, signed) is None and signed.startswith("sha256="):
            raise Objection(f"pywa accepts {signed}")
        meta.post(sent, signed, 401)
    meta.post(body, "", 401)
    same("messages after forged webhooks", len(line.messages("inbound")), before)

    first = meta.message(type="text", text={"body": "first"})
    other = meta.message(type="text", text={"body": "of another number"})
    other["metadata"] = other["metadata"] | {"phone_number_id": "999"}
    group = meta.message(type="text", text={"body": "in a group"}, group_id="g1")
    batch = [first, other, group]
    meta.post(meta.body(*batch))
    meta.post(meta.body(*batch))
    meta.post(meta.body(*batch, meta.message(type="text", text={"body": "second"})))
    same("messages after repeats", len(line.messages("inbound")), before + 2)
    return len(wrong) + 1


def repeated(meta: Meta):
    """The same batch of a new contact, several times at once and then with another message."""
    line, eve = meta.line, "491711111111"
    contact = {"profile": {"name": "Eve"}, "wa_id": eve}
    batch = [meta.message(type="text", text={"body": f"{number}"}, **{"from": eve, "from_user_id": None})
             for number in range(3)]
    batch = [value | {"contacts": [contact]} for value in batch]
    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(meta.post, [meta.body(*batch[:2])] * 5 + [meta.body(*batch[1:])]))
    contacts = [it for it in line.all("contacts") if eve in [own["address"] for own in it["identities"]]]
    same("contacts of a repeated batch", len(contacts), 1)
    [conversation] = [it for it in line.all("conversations") if it["contact_id"] == contacts[0]["id"]]
    texts = [it["text"] for it in line.all(f"conversations/{conversation['id']}/messages")]
    same("messages of a repeated batch", sorted(texts), ["0", "1", "2"])


def writer(meta: Meta, number: str) -> str:
    """The ID of a contact who has written from this number."""
    value = meta.message(type="text", text={"body": "Hello"}, **{"from": number, "from_user_id": None})
    meta.post(meta.body(value | {"contacts": [{"profile": {"name": "Eve"}, "wa_id": number}]}))
    return meta.line.contacts()[number]["id"]


def sized(meta: Meta):
    """A body may have 3 MiB. JSON may end with spaces."""
    body = meta.body(meta.message(type="text", text={"body": "large"}))
    for size, status in ((LARGEST - 1, 200), (LARGEST, 200), (LARGEST + 1, 413)):
        meta.post(body + b" " * (size - len(body)), status=status)


def sent(meta: Meta, pywa: Pywa) -> int:
    """Each call has the members of pywa's call."""
    line, graph = meta.line, meta.graph
    # Each group has its own contact: the eleventh message to a contact waits for seconds.
    to, contact = ADA, line.contacts()[ADA]["id"]

    def say(message: dict) -> tuple[str, list[dict]]:
        before = len(graph.sent)
        name = line.say(contact, {"type": "text"} | message)
        line.ends(name)
        return name, [normal(it) for it in graph.sent[before:]]

    done = 0
    for text in ("Hello", "*b* _i_ 🦀 a/b \"q\"", "line\n\nline", "x" * 4096):
        name, [found] = say({"text": text})
        pywa.client.send_message(to, text, tracker=f"{name}:0/1")
        same("text", found, pywa.last())
        done += 1
    # A text with choices has at most 1,024 characters; the text before it is another message.
    name, [first, second] = say({"text": "word " * 400, "quick_replies": [{"title": "Yes"}]})
    pywa.client.send_message(to, first["text"]["body"], tracker=f"{name}:0/2")
    same("first part", first, pywa.last())
    body = second["interactive"]["body"]["text"]
    pywa.client.send_message(to, body, buttons=[Button("Yes", f"c:{name}:0:Yes")], tracker=f"{name}:1/2")
    same("second part", second, pywa.last())
    same("words of a long text", f"{first['text']['body']} {body}".split(), ["word"] * 400)
    if len(body) > 1024:
        raise Objection(f"a text of {len(body)} characters with choices")

    to, contact = "491722222222", writer(meta, "491722222222")
    for titles in (["Yes"], ["Yes", "No", "Perhaps 🙂"], ["x" * 20]):
        name, [found] = say({"text": "Tea?", "quick_replies": [{"title": it} for it in titles]})
        buttons = [Button(title, f"c:{name}:{number}:{title}") for number, title in enumerate(titles)]
        pywa.client.send_message(to, "Tea?", buttons=buttons, tracker=f"{name}:0/1")
        same("buttons", found, pywa.last())
        check_titles(found["interactive"]["action"]["buttons"], lambda it: it["reply"], 20, 256)
        done += 1
    for titles in ([f"Choice {number}" for number in range(4)], [f"Row {number}" for number in range(10)],
                   ["A title that is longer than a row of a list", "Short", "Short "]):
        name, [found] = say({"text": "Which?", "quick_replies": [{"title": it} for it in titles]})
        rows = found["interactive"]["action"]["sections"][0]["rows"]
        own = [SectionRow(row["title"], row["id"], row.get("description")) for row in rows]
        options = SectionList("Options", [Section("", own)])
        pywa.client.send_message(to, "Which?", buttons=options, tracker=f"{name}:0/1")
        same("list", found, pywa.last())
        check_titles(rows, lambda it: it, 24, 200)
        same("number of rows", len(rows), len(titles))
        done += 1

    to, contact = "491733333333", writer(meta, "491733333333")
    templates = [
        ({}, []),
        ({"1": "Ada", "2": "🦀"}, [BodyText.params("Ada", "🦀")]),
        ({"first": "Ada", "second": "two"}, [BodyText.params(first="Ada", second="two")]),
        ({"header.1": "Sale", "1": "Ada", "button.0": "path"},
         [HeaderText.params("Sale"), BodyText.params("Ada"), URLButton.params(url_variable="path", index=0)]),
    ]
    for parameters, expected in templates:
        template = {"name": "order_sent", "language": "en_US", "parameters": parameters}
        name, [found] = say({"type": "template", "template": template})
        pywa.client.send_template(to, "order_sent", TemplateLanguage("en_US"), expected, tracker=f"{name}:0/1")
        same("template", found, pywa.last())
        done += 1
    return done


def check_titles(choices: list[dict], of, longest: int, longest_id: int):
    titles = [of(it)["title"] for it in choices]
    if len(set(titles)) < len(titles) or any(not 1 <= len(it) <= longest for it in titles):
        raise Objection(f"titles of choices: {titles}")
    if any(len(of(it)["id"]) > longest_id for it in choices):
        raise Objection(f"an ID of a choice is longer than {longest_id} characters: {choices}")


def reported(meta: Meta, pywa: Pywa) -> int:
    """A message has the status that pywa reads."""
    line, graph = meta.line, meta.graph
    contact = line.contacts()[ADA]["id"]
    error = {"code": 131026, "title": "Message undeliverable", "message": "Message undeliverable",
             "error_data": {"details": "Unable to deliver"}}
    for statuses in (["sent", "delivered", "read"], ["read", "delivered"], ["delivered"], ["failed"]):
        name = line.say(contact, {"type": "text", "text": "Hello"})
        line.ends(name)
        wamid = f"wamid.{len(graph.sent)}"
        best = []
        for status in statuses:
            more = {"biz_opaque_callback_data": f"{name}:0/1"} | ({"errors": [error]} if status == "failed" else {})
            body = meta.body(meta.status(wamid, status, **more))
            read = pywa.reads(body)
            same("pywa's ID", read.id, wamid)
            best.append(read.status.value)
            meta.post(body)
        last = max(best, key=["sent", "delivered", "read", "failed"].index)
        found = until(f"{name} is {last}", lambda: next(
            (it for it in [line.call("GET", f"messages/{name}")] if it["status"] == last), None))
        if last == "failed" and not found["error"]:
            raise Objection(f"a failure without an error: {found}")
    # A report on an unknown message changes nothing.
    meta.post(meta.body(meta.status("wamid.unknown", "read")))
    return 5


def whatsapp(_: Path, server) -> str:
    graph = Graph(server)
    provider = Provider(graph.respond)
    line = Line(server, {
        "kind": "whatsapp",
        "config": {"phone_number_id": NUMBER, "waba_id": ACCOUNT, "graph_version": VERSION, "base_url": provider.url},
        "secrets": {"access_token": TOKEN, "app_secret": APP_SECRET},
    })
    same("webhook", graph.address, line.public)
    meta, pywa = Meta(line, graph), Pywa()
    done = (heard(meta, pywa), refused(meta, pywa), sent(meta, pywa), reported(meta, pywa))
    repeated(meta)
    sized(meta)
    same("bodies that are not understood", [it["reason"] for it in line.unparsed()], [])
    provider.close()
    return "pywa: {} kinds of messages read the same, {} forged ones refused, {} messages sent the same, " \
        "{} rows of reports".format(*done)
