"""Holds the clients in sdk/ against the document and against the running server, each installed as its users install it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from server import Server

HERE = Path(__file__).resolve().parent
SDK = HERE.parent.parent / "sdk"
MADE = ["python/tidings/models.py", "python/tidings/operations.py", "typescript/src/operations.ts"]


def run(*command: object, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"interop: {' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def as_generated(python: Path, folder: Path):
    run(python, SDK / "generate.py", folder, cwd=folder)
    for name in MADE:
        if (folder / name).read_bytes() != (SDK / name).read_bytes():
            raise SystemExit(f"interop: sdk/{name} is not what docs/openapi.json makes. Run 'make sdk'.")
    print("sdk: the clients are what docs/openapi.json makes")


def readme(language: str, mark: str) -> str:
    """The first piece of code of a client's README."""
    return re.search(rf"```{mark}\n(.*?)```", (SDK / language / "README.md").read_text(), re.S)[1]


def environment(server: Server, name: str) -> dict[str, str]:
    key = server.new_key(server.new_workspace(name), "full")
    return os.environ | {"TIDINGS": server.base, "KEY": key}


def python_client(python: Path, server: Server, folder: Path):
    shutil.copytree(SDK / "python", folder / "source")
    run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", folder / "source", cwd=folder)
    shutil.copy(HERE / "clients/tour.py", folder / "tour.py")
    (folder / "readme.py").write_text(readme("python", "python"))
    run(python, "-m", "mypy", "--strict", "--no-warn-return-any", "-p", "tidings", cwd=folder)
    run(python, "-m", "mypy", "--check-untyped-defs", "tour.py", "readme.py", cwd=folder)
    told = run(python, "readme.py", cwd=folder, env=environment(server, "the README for Python"))
    if told != "validation_failed ['/email']\n":
        raise SystemExit(f"interop: the README for Python told {told}")
    print(run(python, "tour.py", cwd=folder, env=environment(server, "the Python client")), end="")


def typescript_client(server: Server, folder: Path):
    source = folder / "source"
    shutil.copytree(SDK / "typescript", source, ignore=shutil.ignore_patterns("node_modules", "dist"))
    run("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=source)
    packed = run("npm", "pack", "--silent", "--ignore-scripts", cwd=source).strip()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", source / packed, cwd=folder)
    shutil.copy(HERE / "clients/tour.ts", folder / "tour.ts")
    (folder / "readme.ts").write_text(readme("typescript", "ts"))
    (folder / "node_modules/@types").mkdir(exist_ok=True)
    shutil.copytree(source / "node_modules/@types/node", folder / "node_modules/@types/node", dirs_exist_ok=True)
    run(
        source / "node_modules/.bin/tsc", "--strict", "--target", "ES2022", "--module", "NodeNext", "--types", "node",
        "--lib", "ES2023,DOM,DOM.Iterable,DOM.AsyncIterable", "--skipLibCheck", "tour.ts", "readme.ts", cwd=folder,
    )
    told = run("node", "readme.js", cwd=folder, env=environment(server, "the README for TypeScript"))
    if told != "validation_failed [ '/email' ]\n":
        raise SystemExit(f"interop: the README for TypeScript told {told}")
    print(run("node", "tour.js", cwd=folder, env=environment(server, "the TypeScript client")), end="")


def clients(tools: Path, server: Server):
    python = tools / "venv/bin/python"
    folder = server.folder / "clients"
    for part in ("generated", "python", "typescript"):
        (folder / part).mkdir(parents=True)
    as_generated(python, folder / "generated")
    python_client(python, server, folder / "python")
    typescript_client(server, folder / "typescript")
