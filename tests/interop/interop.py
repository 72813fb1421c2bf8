"""Runs the outside programs against its own server. Exits with 1 if one of them reports an error."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openapi_spec_validator import validate

from bridges import bridges
from clients import clients
from generators import generators
from seed import Seed
from server import Server

HERE = Path(__file__).resolve().parent
CHECKS = ",".join([
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
])
SEED = "20261121"
# The long form tests all callers, and each combination of a schema ("coverage"): 80,000 requests. The short form sends
# the document's examples and random bodies as callers that may use every operation.
LONG = bool(os.environ.get("INTEROP_LONG"))
PHASES = "examples,coverage,fuzzing" if LONG else "examples,fuzzing"
# The caller that sends every combination of a flow's definition. The others only send some of them.
COVERING = "a write key"
# The rights of each caller in the document's security requirements: scopes of a key, or scopes and roles of a user.
READ, WRITE, FULL = ["read"], ["read", "write"], ["read", "write", "full"]
KEYS = {"read": READ, "write": WRITE, "full": FULL}
SIGNED_IN = ["signed_in", "viewer"]
PEOPLE = {
    "an operator": [*READ, *SIGNED_IN, "operator", "admin_or_operator"],
    "an owner": [*FULL, *SIGNED_IN, "admin", "admin_or_operator"],
    "a viewer": [*READ, *SIGNED_IN],
}
# An endless response: each valid request would wait for the timeout. tests/service/streams.rs tests it.
ENDLESS = "stream_workspace"


def document(server: Server) -> dict:
    found = server.call("GET", "/openapi.json")
    validate(found)
    operations = sum(len([verb for verb in item if verb in VERBS]) for item in found["paths"].values())
    print(f"openapi-spec-validator: the document is valid, {operations} operations")
    return found


VERBS = {"get", "post", "put", "patch", "delete"}


class Credential:
    """A caller with its own workspace, its rights, and filters for the operations to test."""

    def __init__(
        self, name: str, seed: Seed, token: str, rights: set[tuple[str, str]],
        caller: dict | None = None, filters: tuple[str, ...] = (),
    ):
        self.name, self.seed, self.token, self.rights = name, seed, token, rights
        self.caller, self.filters = caller, filters


def schemathesis(tools: Path, server: Server, found: dict, asking: Credential, examples: int):
    seed = asking.seed
    name = asking.name.replace(" ", "-")
    config = server.folder / f"schemathesis-{name}.toml"
    config.write_text(seed.configuration(found, asking.rights, asking.name == COVERING, examples))
    command = [
        tools / "venv/bin/schemathesis", "--config-file", config, "run", f"{server.base}/openapi.json",
        "--checks", CHECKS, "--phases", PHASES,
        "--seed", SEED, "--exclude-operation-id", ENDLESS, "--continue-on-failure", "--warnings", "off", "--no-color",
        *asking.filters,
        "--header", f"Authorization: Bearer {asking.token}",
    ]
    if asking.caller:
        command += ["--header", f"X-Workspace-Id: {seed.workspace}"]
    known = {"workspace": seed.workspace, "owner": seed.owner, "token": seed.token}
    known |= {"caller": asking.caller} if asking.caller else {}
    environment = os.environ | {
        "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
        "INTEROP_BASE": server.base, "INTEROP_ESTATE": json.dumps(known),
    }
    began = time.monotonic()
    done = subprocess.run(command, cwd=server.folder, env=environment, capture_output=True, text=True)
    summary = next((line.strip() for line in done.stdout.splitlines() if "generated" in line), "no summary")
    print(f"schemathesis as {asking.name}: {summary}, in {time.monotonic() - began:.0f} s")
    if done.returncode != 0:
        print(done.stdout, done.stderr, (server.folder / "server.log").read_text()[-4000:])
        raise SystemExit(f"interop: schemathesis objects as {asking.name}; replay with --seed {SEED}")


class Run:
    """The runs of schemathesis. Each credential has its own workspace, so two runs are concurrent."""

    def __init__(self, tools: Path, server: Server, found: dict, examples: int):
        self.tools, self.server, self.found, self.examples = tools, server, found, examples

    def hold(self, asking: Credential):
        schemathesis(self.tools, self.server, self.found, asking, self.examples)

    def as_key(self, scope: str):
        seed = Seed(self.server, f"of a {scope} key")
        rights = {("api_key", it) for it in KEYS[scope]}
        self.hold(Credential(f"a {scope} key", seed, self.server.new_key(seed.workspace, scope), rights))

    def as_person(self, name: str, role: str, *more: str):
        """Runs as a user. Signing out is tested last, in a separate session."""
        seed = Seed(self.server, f"of {name}")
        person = self.server.new_person(seed.workspace, role, *more)
        rights = {("access_token", it) for it in PEOPLE[name]}
        stays = ("--exclude-operation-id", "logout")
        self.hold(Credential(name, seed, self.server.sign_in(person), rights, person, stays))
        leaves = ("--include-operation-id", "logout")
        self.hold(Credential(f"{name} who leaves", seed, self.server.sign_in(person), rights, None, leaves))

    def everybody(self):
        with ThreadPoolExecutor(max_workers=2) as pool:
            runs = [pool.submit(self.as_key, scope) for scope in (("read", "write", "full") if LONG else ("full",))]
            runs.append(pool.submit(self.as_person, "an operator", "viewer", "--operator"))
            runs.append(pool.submit(self.as_person, "an owner", "owner"))
            if LONG:
                runs.append(pool.submit(self.as_person, "a viewer", "viewer"))
            try:
                for run in runs:
                    run.result()
            finally:
                pool.shutdown(cancel_futures=True)


class Outside:
    """A receiver in another language, subscribed to everything."""

    def __init__(self, seed: Seed, name: str, command: list):
        self.name = name
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        port = int(self.process.stdout.readline())
        url = f"http://127.0.0.1:{port}"
        hook = seed.call("POST", "/api/v1/webhooks", {"url": f"{url}/hook", "events": ["*"]})
        self.id = hook["id"]
        Seed.post_text(f"{url}/secret", hook["secret"])

    def read(self, wanted: set[str], seconds: float) -> dict[str, str]:
        """Reads deliveries until each wanted event has arrived. Both libraries must verify each delivery."""
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
    seed = Seed(server, "deliveries")
    receivers = [
        Outside(seed, "PyPI", [tools / "venv/bin/python", "-u", HERE / "receiver.py"]),
        Outside(seed, "npm", ["node", HERE / "receiver.mjs", tools / "node"]),
    ]
    try:
        seed.make("receivers")
        wanted = {}
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            rows = [
                row
                for receiver in receivers
                for row in seed.call("GET", f"/api/v1/webhooks/{receiver.id}/deliveries?limit=100")["data"]
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
    finally:
        for receiver in receivers:
            receiver.process.kill()


def main():
    binary, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    examples = int(sys.argv[3]) if len(sys.argv) > 3 else 10 if LONG else 4
    folder = Path(tempfile.mkdtemp(prefix="tidings-interop-"))
    server = Server(binary, folder)
    try:
        found = document(server)
        deliveries(tools, server)
        key = server.new_key(server.new_workspace("generators"), "full")
        # Installing the clients waits for the network and for restarts of a server.
        with ThreadPoolExecutor(max_workers=1) as beside:
            generated = beside.submit(generators, tools, server, key, found)
            clients(tools, server)
            generated.result()
        with ThreadPoolExecutor(max_workers=1) as beside:
            played = beside.submit(bridges, tools, server)
            Run(tools, server, found, examples).everybody()
            played.result()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
