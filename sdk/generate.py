"""Makes the operations and the models of both clients from docs/openapi.json.

    python sdk/generate.py [FOLDER]

writes python/tidings/models.py, python/tidings/operations.py and typescript/src/operations.ts below FOLDER (sdk/ where
none is named). What is under /api/v1 is in them, but for answers that are streams of events. The types of the
TypeScript client, schema.d.ts, are made by openapi-typescript (`make panel`), as the panel is built on them, too.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs" / "openapi.json"
VERBS = ("get", "post", "put", "patch", "delete")
JSON = "application/json"
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "Sequence[str]"}


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", name))


def lower_camel(name: str) -> str:
    return camel(name)[:1].lower() + camel(name)[1:]


@dataclass
class Parameter:
    name: str
    kind: str
    described: str

    @property
    def python(self) -> str:
        name = self.name.removesuffix(".KEY")
        return f"{name}_" if iskeyword(name) else name

    @property
    def python_type(self) -> str:
        return "Mapping[str, str]" if self.name.endswith(".KEY") else TYPES[self.kind]


@dataclass
class Operation:
    """One operation, with what a client has to know of it."""

    id: str
    group: str
    verb: str
    path: str
    summary: str
    in_path: list[str]
    query: list[Parameter]
    headers: set[str]
    body: str | None
    body_needed: bool
    answer: str | None
    method: str = ""

    def short(self) -> str:
        """`create_contact` of the group contacts is `create`, `add_contact_tag` is `add_tag`, others keep their words."""
        singular = re.sub("ies$", "y", self.group).removesuffix("s")
        words = self.id.split("_")
        for noun in (self.group, singular):
            taken = noun.split("_")
            for at in range(len(words) - len(taken) + 1):
                if words[at : at + len(taken)] == taken and len(words) > len(taken):
                    return "_".join(words[:at] + words[at + len(taken) :])
        return self.id

    @property
    def pages(self) -> bool:
        return any(parameter.name == "cursor" for parameter in self.query)


class Document:
    def __init__(self, text: str):
        self.tree = json.loads(text)

    def resolve(self, node: dict) -> dict:
        while "$ref" in node:
            found = self.tree
            for step in node["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            node = found
        return node

    def operations(self) -> list[Operation]:
        found = []
        for path, item in self.tree["paths"].items():
            if path.startswith("/api/v1/"):
                found += [self.operation(path, verb, item[verb]) for verb in VERBS if verb in item]
        return [operation for operation in found if operation.answer != "text/event-stream"]

    def operation(self, path: str, verb: str, node: dict) -> Operation:
        parameters = [self.resolve(parameter) for parameter in node.get("parameters", [])]
        query = [
            Parameter(one["name"], self.kind(one["schema"]), one.get("description", ""))
            for one in parameters if one["in"] == "query"
        ]
        body = self.resolve(node["requestBody"]) if "requestBody" in node else None
        return Operation(
            id=node["operationId"],
            group=node["tags"][0].lower().replace(" ", "_"),
            verb=verb.upper(),
            path=path,
            summary=node["summary"],
            in_path=re.findall(r"{(\w+)}", path),
            query=query,
            headers={one["name"] for one in parameters if one["in"] == "header"},
            body=self.content(body["content"]) if body else None,
            body_needed=bool(body and body.get("required")),
            answer=self.answer(node["responses"]),
        )

    def kind(self, schema: dict) -> str:
        found = self.resolve(schema).get("type", "string")
        return next(kind for kind in found if kind != "null") if isinstance(found, list) else found

    def answer(self, responses: dict) -> str | None:
        told = [
            self.content(answer["content"])
            for status, answer in responses.items() if status.startswith("2") and answer.get("content")
        ]
        return told[0] if told else None

    @staticmethod
    def content(content: dict) -> str:
        """The name of a schema, `object` for one without a name, or the media type where it is not JSON."""
        if JSON not in content:
            return next(iter(content)).split(";")[0]
        return content[JSON]["schema"].get("$ref", "object").removeprefix("#/components/schemas/")


def groups(operations: list[Operation]) -> dict[str, list[Operation]]:
    """By subject, each with its name as a method: the whole one where the short one is taken, or a word of Python."""
    found: dict[str, list[Operation]] = {}
    for operation in operations:
        members = found.setdefault(operation.group, [])
        taken = {member.method for member in members}
        short = operation.short()
        operation.method = operation.id if short in taken or iskeyword(short) else short
        members.append(operation)
    return dict(sorted(found.items()))


def python_type(name: str | None) -> str:
    if name is None:
        return "None"
    if "/" in name:
        return "bytes"
    return "dict[str, Any]" if name == "object" else f"models.{camel(name)}"


def python_query(operation: Operation) -> str:
    lines = [f"class {camel(operation.id)}Query(TypedDict, total=False):"]
    for parameter in operation.query:
        lines += [f"    {parameter.python}: {parameter.python_type}"]
        lines += [f'    """{parameter.described}"""'] if parameter.described else []
    return "\n".join(lines)


def python_method(operation: Operation) -> str:
    takes = ["self"] + [f"{name}: str | int" for name in operation.in_path]
    gives = []
    if operation.body:
        takes.append(f"body: {python_type(operation.body)}" + ("" if operation.body_needed else " | None = None"))
        gives.append("body=body")
        if "/" in operation.body:
            gives.append(f'content_type="{operation.body}"')
    named = []
    if "If-Match" in operation.headers and operation.verb != "GET":
        named.append("if_match: str | None = None")
        gives.append("if_match=if_match")
    if "Idempotency-Key" in operation.headers:
        named.append("idempotency_key: str | None = None")
        gives += ["idempotency_key=idempotency_key", "repeatable=True"]
    elif operation.verb in ("GET", "PUT", "DELETE") and not named:
        gives.append("repeatable=True")
    takes += ["*"] * bool(named) + named
    if operation.query:
        takes.append(f"**query: Unpack[{camel(operation.id)}Query]")
        gives.append("query=query")
    path = re.sub(r"{(\w+)}", r"{quote(\1)}", operation.path)
    path = f'{"f" if operation.in_path else ""}"{path}"'
    answer = python_type(operation.answer)
    lines = [
        f"    def {operation.method}({', '.join(takes)}) -> {answer}:",
        f'        """{operation.summary}"""',
        f"        return self._http.send({', '.join([json.dumps(operation.verb), path, *gives])})",
    ]
    if operation.pages and operation.verb == "GET":
        item = "Iterator[dict[str, Any]]"
        if operation.answer and operation.answer.startswith("List_"):
            item = f"Iterator[{python_type(operation.answer.removeprefix('List_'))}]"
        each = "each" + operation.method.removeprefix("list")
        passed = ["self"] + [f"{name}: str | int" for name in operation.in_path]
        lines += [
            "",
            f"    def {each}({', '.join(passed)}, **query: Unpack[{camel(operation.id)}Query]) -> {item}:",
            f'        """As `{operation.method}`, one after the other over all pages."""',
            f"        return self._http.each({path}, query)",
        ]
    return "\n".join(lines)


def python_operations(found: dict[str, list[Operation]]) -> str:
    parts = [
        '"""Made by sdk/generate.py from docs/openapi.json: change the handlers, and make it anew (`make sdk`)."""\n\n'
        "from __future__ import annotations\n\n"
        "from collections.abc import Iterator, Mapping, Sequence\n"
        "from typing import Any\n\n"
        "from typing_extensions import TypedDict, Unpack\n\n"
        "from . import models\n"
        "from .http import Http, quote"
    ]
    for group, members in found.items():
        parts += [python_query(member) for member in members if member.query]
        methods = "\n\n".join(python_method(member) for member in members)
        parts.append(
            f"class {camel(group)}:\n    def __init__(self, http: Http) -> None:\n        self._http = http\n\n{methods}"
        )
    fields = "\n".join(f"        self.{group} = {camel(group)}(http)" for group in found)
    parts.append(
        "class Operations:\n"
        '    """All operations, by subject."""\n\n'
        f"    def __init__(self, http: Http) -> None:\n{fields}"
    )
    return "\n\n\n".join(parts) + "\n"


def typescript_method(operation: Operation) -> str:
    kind = f"'{operation.id}'"
    takes = [f"{lower_camel(name)}: string | number" for name in operation.in_path]
    gives = []
    if operation.body:
        plain = "/" in operation.body
        takes.append(f"body{'' if operation.body_needed else '?'}: {'Blob | string' if plain else f'Body<{kind}>'}")
        gives.append("body")
        if plain:
            gives.append(f"contentType: '{operation.body}'")
    if operation.query:
        takes.append(f"query?: Query<{kind}>")
        gives.append("query")
    if "Idempotency-Key" in operation.headers:
        gives.append("keyed: true")
    takes.append("options?: Options")
    gives.append("...options")
    path = re.sub(r"{(\w+)}", lambda found: f"${{quote({lower_camel(found[1])})}}", operation.path)
    path = f"`{path}`" if operation.in_path else f"'{path}'"
    answer = "Promise<Response>" if operation.answer and "/" in operation.answer else f"Promise<Answer<{kind}>>"
    raw = ["raw: true"] if "Response" in answer else []
    lines = [
        f"  /** {operation.summary} */",
        f"  {lower_camel(operation.method)}({', '.join(takes)}): {answer} {{",
        f"    return this.http.send('{operation.verb}', {path}, {{ {', '.join(raw + gives)} }});",
        "  }",
    ]
    if operation.pages and operation.verb == "GET":
        each = lower_camel("each" + operation.method.removeprefix("list"))
        lines += [
            "",
            f"  /** As `{lower_camel(operation.method)}`, one after the other over all pages. */",
            f"  {each}({', '.join(takes)}): AsyncGenerator<Item<{kind}>> {{",
            f"    return this.http.each({path}, {{ {', '.join(gives)} }});",
            "  }",
        ]
    return "\n".join(lines)


def typescript_operations(found: dict[str, list[Operation]]) -> str:
    parts = [
        "// Made by sdk/generate.py from docs/openapi.json: change the handlers, and make it anew (`make sdk`).\n\n"
        "import { type Http, type Options, quote } from './http.js';\n"
        "import type { Answer, Body, Item, Query } from './types.js';"
    ]
    for group, members in found.items():
        methods = "\n\n".join(typescript_method(member) for member in members)
        parts.append(f"class {camel(group)} {{\n  constructor(private readonly http: Http) {{}}\n\n{methods}\n}}")
    fields = "\n".join(f"  readonly {lower_camel(group)}: {camel(group)};" for group in found)
    filled = "\n".join(f"    this.{lower_camel(group)} = new {camel(group)}(http);" for group in found)
    parts.append(
        "/** All operations, by subject. */\n"
        f"export class Operations {{\n{fields}\n\n  constructor(http: Http) {{\n{filled}\n  }}\n}}"
    )
    return "\n\n".join(parts) + "\n"


def python_models(into: Path) -> None:
    subprocess.run(
        [
            sys.executable, "-m", "datamodel_code_generator", "--input", DOCUMENT, "--input-file-type", "openapi",
            "--output", into, "--output-model-type", "typing.TypedDict", "--target-python-version", "3.10",
            "--formatters", "builtin", "--disable-timestamp", "--use-double-quotes", "--no-use-closed-typed-dict",
        ],
        check=True,
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    (folder / "python/tidings").mkdir(parents=True, exist_ok=True)
    (folder / "typescript/src").mkdir(parents=True, exist_ok=True)
    found = groups(Document(DOCUMENT.read_text()).operations())
    (folder / "python/tidings/operations.py").write_text(python_operations(found))
    (folder / "typescript/src/operations.ts").write_text(typescript_operations(found))
    python_models(folder / "python/tidings/models.py")


if __name__ == "__main__":
    main()
