"""Judges the bytes of channels by the libraries that the providers and their users publish. Exits with 1 if one of them
objects."""

import shutil
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from channels_bucket import media
from channels_email import AUTHORITY, mail
from channels_provider import PUBLIC_URL, Objection, Provider
from channels_sms import sms
from channels_telegram import telegram
from channels_whatsapp import whatsapp
from server import Server

HERE = Path(__file__).resolve().parent
SETTINGS = {"TIDINGS__HTTP__PUBLIC_URL": PUBLIC_URL, "TIDINGS__EGRESS__EXTRA_CA_FILE": str(AUTHORITY)}
CHECKS = {"sms": sms, "telegram": telegram, "whatsapp": whatsapp, "email": mail, "media": media}


def main():
    binary, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    chosen = sys.argv[3:] or list(CHECKS)
    folder = Path(tempfile.mkdtemp(prefix="tidings-channels-"))
    server = Server(binary, folder, SETTINGS)
    failed = False

    def run(name: str) -> str:
        began = time.monotonic()
        done = CHECKS[name](tools, server)
        return f"{done} ({time.monotonic() - began:.0f} s)"

    try:
        with ThreadPoolExecutor(max_workers=len(chosen)) as pool:
            for name, run_of_it in [(name, pool.submit(run, name)) for name in chosen]:
                try:
                    print(run_of_it.result(), flush=True)
                except (Objection, SystemExit) as objection:
                    failed = True
                    print(f"interop: objection to {name}: {objection}", file=sys.stderr, flush=True)
                except Exception:
                    failed = True
                    print(f"interop: {name}: {traceback.format_exc()}", file=sys.stderr, flush=True)
        for objection in Provider.objections:
            print(f"interop: objection of a provider: {objection}", file=sys.stderr)
        if failed or Provider.objections:
            print((folder / "server.log").read_text()[-4000:], file=sys.stderr)
            raise SystemExit(1)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
