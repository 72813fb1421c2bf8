"""Tests three client generators with the document. The generated code compiles and creates a flow on a server."""

import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from server import Server

HERE = Path(__file__).resolve().parent / "generators"
# A table of contacts is not JSON, so this generator omits the operation.
LEFT_OUT = ["POST /api/v1/contacts/import"]


def generators(tools: Path, server: Server, key: str, found: dict):
    folder = server.folder / "generators"
    folder.mkdir()
    document = folder / "openapi.json"
    document.write_text(json.dumps(found))
    with ThreadPoolExecutor() as pool:
        checks = [pool.submit(check, tools, folder, document, server.base, key) for check in (openapi_python_client, typescript)]
        for check in checks:
            check.result()


def run(command: list, **options) -> str:
    done = subprocess.run([str(it) for it in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(str(it) for it in command)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


def openapi_python_client(tools: Path, folder: Path, document: Path, base: str, key: str):
    binaries = tools / "venv/bin"
    said = run([
        binaries / "openapi-python-client", "generate", "--path", document, "--output-path", folder / "generated_client",
        "--meta", "none",
    ])
    wrong = re.findall(r"^(?:WARNING|ERROR) parsing (\S+ \S+)", said, re.M)
    lost = re.findall(r"Unable to (?:parse|process) schema (\S+)", said)
    if wrong != LEFT_OUT or lost:
        raise SystemExit(f"openapi-python-client left out {wrong}, {lost}:\n{said}")
    run([binaries / "python", "-m", "compileall", "-q", folder / "generated_client"])
    flow = run([binaries / "python", HERE / "create_flow.py", base, key], cwd=folder, env={"PYTHONPATH": str(folder)})
    print(f"openapi-python-client: all operations but {', '.join(LEFT_OUT)}; created {flow.strip()}")


def typescript(tools: Path, folder: Path, document: Path, base: str, key: str):
    node = tools / "node/node_modules"
    (folder / "node_modules").symlink_to(node)
    run([node / ".bin/openapi-ts", "--input", document, "--output", folder / "hey", "--client", "@hey-api/client-fetch"], cwd=folder)
    run([node / ".bin/openapi-typescript", document, "--output", folder / "schema.ts"], cwd=folder)
    for name in ("hey.ts", "fetch.ts"):
        shutil.copy(HERE / name, folder)
    # Generated modules import each other without an extension, which only CommonJS resolves without a bundler.
    run([
        node / ".bin/tsc", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", "node",
        "--module", "commonjs", "--moduleResolution", "node10", "--esModuleInterop", "--skipLibCheck",
        "--outDir", folder / "built", folder / "hey.ts", folder / "fetch.ts",
    ], cwd=folder)
    for name, title in (("hey", "@hey-api/openapi-ts"), ("fetch", "openapi-typescript")):
        flow = run(["node", folder / f"built/{name}.js", base, key], cwd=folder)
        print(f"{title}: compiled strictly; created {flow.strip()}")
