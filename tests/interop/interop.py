"""Runs the outside programs against a server of its own; exits 1 where one of them objects."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from openapi_spec_validator import validate

from estate import Estate
from server import Server

HERE = Path(__file__).resolve().parent
CHECKS = ",".join([
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
])
SEED = "20261121"


def document(server: Server) -> dict:
    found = server.call("GET", "/openapi.json")
    validate(found)
    operations = sum(len([verb for verb in item if verb in VERBS]) for item in found["paths"].values())
    print(f"openapi-spec-validator: the document is valid, {operations} operations")
    return found


VERBS = {"get", "post", "put", "patch", "delete"}


def schemathesis(tools: Path, server: Server, name: str, headers: list[str], estate: Estate, filters: list[str], examples: int):
    config = server.folder / f"schemathesis-{name}.toml"
    config.write_text(estate.parameters())
    command = [
        tools / "venv/bin/schemathesis", "--config-file", config, "run", f"{server.base}/openapi.json",
        "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", str(examples),
        "--seed", SEED, "--continue-on-failure", "--warnings", "off", "--no-color", *filters,
    ]
    for header in headers:
        command += ["--header", header]
    done = subprocess.run(command, cwd=server.folder, capture_output=True, text=True)
    summary = next((line.strip() for line in done.stdout.splitlines() if "generated" in line), "no summary")
    print(f"schemathesis as {name}: {summary}")
    if done.returncode != 0:
        print(done.stdout, done.stderr, (server.folder / "server.log").read_text()[-4000:])
        raise SystemExit(f"interop: schemathesis objects as {name}; replay with --seed {SEED}")


class Outside:
    """A receiver in another language, subscribed to everything."""

    def __init__(self, server: Server, name: str, command: list):
        self.name = name
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        port = int(self.process.stdout.readline())
        url = f"http://127.0.0.1:{port}"
        hook = server.call("POST", "/api/v1/webhooks", {"url": f"{url}/hook", "events": ["*"]})
        self.id = hook["id"]
        Estate.post_text(f"{url}/secret", hook["secret"])

    def read(self, wanted: set[str], seconds: float) -> dict[str, str]:
        """The deliveries until each wanted event came; each must be verified by both libraries."""
        seen, ends = {}, time.monotonic() + seconds
        while not wanted <= set(seen) and time.monotonic() < ends:
            line = json.loads(self.process.stdout.readline())
            if sorted(line["verified_by"]) != ["standardwebhooks", "stripe"] or not line["refused_when_changed"]:
                raise SystemExit(f"interop: the {self.name} libraries object: {line}")
            seen[line["id"]] = line["type"]
        if not wanted <= set(seen):
            raise SystemExit(f"interop: {self.name} never got {wanted - set(seen)}")
        return seen


def deliveries(tools: Path, server: Server):
    receivers = [
        Outside(server, "PyPI", [tools / "venv/bin/python", "-u", HERE / "receiver.py"]),
        Outside(server, "npm", ["node", HERE / "receiver.mjs", tools / "node"]),
    ]
    try:
        Estate(server, "deliveries")
        wanted = {}
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            rows = [
                row
                for receiver in receivers
                for row in server.call("GET", f"/api/v1/webhooks/{receiver.id}/deliveries?limit=100")["data"]
            ]
            if rows and all(row["status"] == "succeeded" for row in rows) and any(
                row["event_type"] == "flow.completed" for row in rows
            ):
                wanted = {row["event_id"] for row in rows}
                break
            time.sleep(0.2)
        if not wanted:
            raise SystemExit("interop: the deliveries did not succeed within 30 s")
        for receiver in receivers:
            seen = receiver.read(wanted, 30)
            kinds = ", ".join(sorted(set(seen.values())))
            print(f"standardwebhooks and stripe of {receiver.name}: verified {len(seen)} deliveries ({kinds})")
            server.call("DELETE", f"/api/v1/webhooks/{receiver.id}")
    finally:
        for receiver in receivers:
            receiver.process.kill()


def main():
    binary, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    examples = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    folder = Path(tempfile.mkdtemp(prefix="tidings-interop-"))
    server = Server(binary, folder)
    try:
        document(server)
        deliveries(tools, server)
        for scope, key in server.keys.items():
            schemathesis(tools, server, scope, [f"Authorization: Bearer {key}"], Estate(server, scope), [], examples)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
