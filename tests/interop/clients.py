"""Tests the clients in sdk/ with the document and the running server. Their READMEs contain the install commands."""

import os
import re
import shutil
import socket
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clients_faults import FaultProxy, RestartingServer
from server import Server

HERE = Path(__file__).resolve().parent
SDK = HERE.parent.parent / "sdk"
MADE = [
    *(f"python/tidings/{name}.py" for name in ("models", "table", "queries", "operations", "async_operations", "events")),
    *(f"typescript/src/{name}.ts" for name in ("table", "operations", "models")),
]
PROGRAMS = ["tour", "faults", "follow", "long"]
TRUE = {"python": "True", "typescript": "true"}
LONG = bool(os.environ.get("INTEROP_LONG"))


def fail(message: str):
    raise SystemExit(f"interop: {message}")


def run(*command: object, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def as_generated(python: Path, folder: Path):
    run(python, SDK / "generate.py", folder, cwd=folder)
    for name in MADE:
        if (folder / name).read_bytes() != (SDK / name).read_bytes():
            fail(f"sdk/{name} is not what docs/openapi.json makes. Run 'make sdk'.")
    print("sdk: the clients are what docs/openapi.json makes")


def code(language: str, mark: str) -> list[str]:
    """The code blocks of a client's README."""
    return re.findall(rf"```{mark}\n(.*?)```", (SDK / language / "README.md").read_text(), re.S)


class Client:
    """A client in an empty project beside a checkout. `install` runs the first code block of its README."""

    def __init__(self, tools: Path, folder: Path, language: str, mark: str, suffix: str):
        self.tools, self.language, self.mark, self.suffix = tools, language, mark, suffix
        self.project, self.source = folder / "project", folder / "tidings/sdk" / language
        self.project.mkdir(parents=True)
        ignored = shutil.ignore_patterns("node_modules", "dist", "build", "*.egg-info", "__pycache__")
        shutil.copytree(SDK / language, self.source, ignore=ignored)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def install(self):
        (line,) = code(self.language, "sh")
        run("sh", "-ec", line, cwd=self.project, env=self.environment)

    def copy_programs(self):
        for name in PROGRAMS:
            shutil.copy(HERE / f"clients/{name}{self.suffix}", self.project)
        (self.project / f"readme{self.suffix}").write_text("\n".join(code(self.language, self.mark)))

    def command(self, name: str) -> list[object]:
        raise NotImplementedError

    def play(self, name: str, **known: str) -> str:
        return run(*self.command(name), cwd=self.project, env=self.environment | known)


class PythonClient(Client):
    def __init__(self, tools: Path, folder: Path):
        super().__init__(tools, folder, "python", "python", ".py")
        venv.create(self.project / ".venv", with_pip=True)
        self.environment["PATH"] = f"{self.project / '.venv/bin'}:{self.environment['PATH']}"

    def command(self, name: str) -> list[object]:
        return [self.project / ".venv/bin/python", "-u", f"{name}.py"]

    def check_types(self):
        self.copy_programs()
        shutil.copy(HERE / "clients/wrong.py", self.project)
        shutil.copytree(self.source / "tidings", self.project / "package/tidings")
        (self.project / "pyrightconfig.json").write_text(
            '{"typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": true, "venvPath": ".", "venv": ".venv"}'
        )
        run("node", self.tools / "node/node_modules/pyright/index.js", cwd=self.project, env=self.environment)
        mypy = [self.tools / "venv/bin/python", "-m", "mypy", "--strict", "--no-warn-return-any"]
        run(*mypy, "--python-executable", self.project / ".venv/bin/python", "-p", "tidings", cwd=self.project / "package")


class TypeScriptClient(Client):
    def __init__(self, tools: Path, folder: Path):
        super().__init__(tools, folder, "typescript", "ts", ".mts")

    def command(self, name: str) -> list[object]:
        return ["node", f"{name}.mjs"]

    def check_types(self):
        """Checks the types as ES modules and as CommonJS, including the types of the package itself."""
        self.copy_programs()
        for name in ("wrong.mts", "commonjs.cts"):
            shutil.copy(HERE / f"clients/{name}", self.project)
        (self.project / "node_modules/@types").mkdir(parents=True, exist_ok=True)
        for name in ("@types/node", "undici-types"):
            shutil.copytree(self.source / "node_modules" / name, self.project / "node_modules" / name, dirs_exist_ok=True)
        run(
            self.source / "node_modules/.bin/tsc", "--strict", "--target", "ES2022", "--module", "NodeNext",
            "--types", "node", *sorted(self.project.glob("*.?ts")), cwd=self.project,
        )
        if run("node", "commonjs.cjs", cwd=self.project) != "function function\n":
            fail("the TypeScript client does not load as CommonJS")


def faults(client: Client, server: Server):
    workspace = server.new_workspace(f"faults in {client.language}")
    proxy = FaultProxy(server.base)
    known = {"FAULTS": proxy.url, "TIDINGS": server.base, "KEY": server.new_key(workspace, "full")}
    with socket.create_server(("127.0.0.1", 0)) as free:
        known["CLOSED"] = f"http://127.0.0.1:{free.getsockname()[1]}"
    print(client.play("faults", **known, READ_KEY=server.new_key(workspace, "read")), end="")
    proxy.stop()


def tour(client: Client, server: Server):
    def known(name: str) -> dict[str, str]:
        return {"TIDINGS": server.base, "KEY": server.new_key(server.new_workspace(name), "full")}

    told = client.play("readme", **known(f"README of {client.language}"))
    if told.split() != ["contact_exists", TRUE[client.language], "validation_failed", "/email"]:
        fail(f"the README for {client.language} printed {told}")
    print(client.play("tour", **known(f"tour in {client.language}")), end="")


def prepare(client: Client, server: Server):
    client.install()
    client.check_types()
    print(f"sdk: the {client.language} client is installed by its README's line; strict type checks pass")
    tour(client, server)
    faults(client, server)


def follow(ready: list[Client], server: RestartingServer):
    """Checks that the feed and the stream lose nothing while the server restarts."""
    keys = [server.new_key(server.new_workspace(f"feed in {client.language}"), "full") for client in ready]
    readers = [
        subprocess.Popen(
            [str(part) for part in client.command("follow")], cwd=client.project, stdout=subprocess.PIPE, text=True,
            env=client.environment | {"TIDINGS": server.base, "KEY": key},
        )
        for client, key in zip(ready, keys)
    ]
    try:
        for key in keys:
            server.call("POST", "/api/v1/contacts", {"external_id": "before"}, key)
        for reader in readers:
            if reader.stdout.readline() != "before\n":
                fail("the feed was not read")
        server.restart()
        for key in keys:
            for external_id in ("between", "after"):
                server.call("POST", "/api/v1/contacts", {"external_id": external_id}, key)
        for client, reader in zip(ready, readers):
            told, _ = reader.communicate(timeout=60)
            lines = told.splitlines()
            if reader.returncode != 0 or any(not line.endswith(": 3 events") for line in lines):
                fail(f"the feed of {client.language} over a restart: {told}")
            print(f"sdk: {client.language} read over a restart of the server: {', '.join(sorted(lines))}")
    finally:
        for reader in readers:
            reader.kill()


def long(ready: list[Client], server: RestartingServer):
    """Runs 2,000 upserts, and 1,000 PATCHes above the plan's limit."""
    server.restart(with_limits=True)

    def of(client: Client, plan: str) -> str:
        made = server.command("workspace", "create", "--name", f"{plan} of {client.language}", "--plan", plan)
        return server.new_key(made["id"], "full")

    def play(client: Client) -> str:
        return client.play("long", TIDINGS=server.base, KEY=of(client, "business"), SLOW_KEY=of(client, "starter"))

    with ThreadPoolExecutor() as pool:
        for told in pool.map(play, ready):
            print(told, end="")


def clients(tools: Path, server: Server):
    folder = server.folder / "clients"
    (folder / "generated").mkdir(parents=True)
    as_generated(tools / "venv/bin/python", folder / "generated")
    ready = [PythonClient(tools, folder / "python"), TypeScriptClient(tools, folder / "typescript")]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda client: prepare(client, server), ready))
    restarting = RestartingServer(server.binary, folder / "restarting")
    try:
        follow(ready, restarting)
        if LONG:
            long(ready, restarting)
    finally:
        restarting.stop()


def main():
    """Tests only the clients: clients.py BINARY TOOLS FOLDER"""
    folder = Path(sys.argv[3]).resolve()
    folder.mkdir(parents=True)
    server = Server(Path(sys.argv[1]).resolve(), folder)
    try:
        clients(Path(sys.argv[2]).resolve(), server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
