"""Judges the files in a bucket: `moto` plays S3, `botocore` checks the signature of each call, and `boto3` reads the
bucket."""

import json
import logging
import random
import socket
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import httpx
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from moto.s3.models import s3_backends
from moto.server import create_backend_app
from werkzeug.serving import make_server

from channels_provider import Objection, same, until
from server import Server

NAME, PREFIX, REGION = "files", "shop/media/", "eu-central-1"
KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
PART = 5 << 20
SIZES = [1, PART - 1, PART, PART + 1, 20 << 20]
REFUSAL = b"<Error><Code>SignatureDoesNotMatch</Code></Error>"


def signed(method: str, url: str) -> bool:
    """Whether botocore computes the same signature for this URL."""
    parts = urlsplit(url)
    pairs = parts.query.split("&")
    query = dict(pair.partition("=")[::2] for pair in pairs)
    try:
        key, _, region, service, _ = query["X-Amz-Credential"].split("%2F")
        found, date, life = (query[f"X-Amz-{name}"] for name in ("Signature", "Date", "Expires"))
    except (KeyError, ValueError):
        return False
    unsigned = parts._replace(query="&".join(it for it in pairs if not it.startswith("X-Amz-Signature=")))
    request = AWSRequest(method=method, url=unsigned.geturl(), headers={"Host": parts.netloc})
    request.context["timestamp"] = date
    auth = S3SigV4QueryAuth(Credentials(KEY, SECRET), service, region, expires=int(life))
    expected = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    return (key, region, service, found) == (KEY, REGION, "s3", expected)


class Bucket:
    """A store with an empty bucket. It refuses calls with a wrong signature."""

    def __init__(self):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.refused, app = [], create_backend_app("s3")

        def checked(environ, start_response):
            method, url = environ["REQUEST_METHOD"], f"http://{environ['HTTP_HOST']}{environ['REQUEST_URI']}"
            # Only boto3 sends this header, and moto does not check it.
            if "HTTP_AUTHORIZATION" in environ or signed(method, url):
                return app(environ, start_response)
            self.refused.append(f"{method} {url}")
            start_response("403 Forbidden", [("Content-Length", str(len(REFUSAL)))])
            return [REFUSAL]

        self.server = make_server("127.0.0.1", 0, checked, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.client = boto3.client(
            "s3", endpoint_url=self.url, region_name=REGION, aws_access_key_id=KEY, aws_secret_access_key=SECRET,
            config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required"),
        )
        self.client.create_bucket(Bucket=NAME, CreateBucketConfiguration={"LocationConstraint": REGION})

    def keys(self) -> list[str]:
        return [it["Key"] for it in self.client.list_objects_v2(Bucket=NAME).get("Contents", [])]

    def bytes(self, key: str) -> bytes:
        return self.client.get_object(Bucket=NAME, Key=key)["Body"].read()

    def uploads(self) -> list[dict]:
        return self.client.list_multipart_uploads(Bucket=NAME).get("Uploads", [])

    def make_older(self):
        """Sets the time of all objects back by two days."""
        for account in s3_backends.values():
            for backend in account.values():
                for bucket in backend.buckets.values():
                    for key in bucket.keys.values():
                        key.last_modified -= timedelta(days=2)

    def settings(self) -> dict[str, str]:
        own = {
            "ENDPOINT": self.url, "REGION": REGION, "BUCKET": NAME, "PREFIX": PREFIX.rstrip("/"), "PATH_STYLE": "true",
            "ACCESS_KEY_ID": KEY, "SECRET_ACCESS_KEY": SECRET,
        }
        # The address of the bucket is allowed without this setting.
        fixed = {"TIDINGS__MEDIA__STORE": "s3", "TIDINGS__EGRESS__ALLOW_LOOPBACK": "false"}
        return fixed | {f"TIDINGS__MEDIA__S3__{name}": value for name, value in own.items()}


class Files:
    """The files of a workspace."""

    def __init__(self, server: Server, workspace: str, key: str):
        self.server, self.workspace, self.key = server, workspace, key
        self.http = httpx.Client(
            base_url=server.base, headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False
        )

    def call(self, status: int, method: str, path: str, **more) -> httpx.Response:
        answer = self.http.request(method, path, **more)
        same(f"status of {method} {path} ({answer.text[:200]})", answer.status_code, status)
        return answer

    def upload(self, content: bytes) -> str:
        made = self.call(201, "POST", "/api/v1/media?name=a.bin", content=content).json()
        same("size", made["size"], len(content))
        return made["id"]

    def object(self, media: str) -> str:
        return f"{PREFIX}{self.workspace}/{media[-2:]}/{media}"


def content_of(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def stored(bucket: Bucket, files: Files) -> dict[str, bytes]:
    """Files of all sizes around that of a part are in the bucket and are read back, whole and in ranges."""
    made = {}
    for size in SIZES:
        content = content_of(size)
        media = files.upload(content)
        made[media] = content
        if bucket.bytes(files.object(media)) != content:
            raise Objection(f"{size} bytes differ in the bucket")
        path = f"/api/v1/media/{media}"
        # The end of the first part, and the end of the file.
        for first, last in [(max(min(size, PART) - 9, 0), min(size, PART + 9) - 1), (max(size - 9, 0), size - 1)]:
            part = files.call(206, "GET", path, headers={"Range": f"bytes={first}-{last}"})
            if part.content != content[first:last + 1]:
                raise Objection(f"bytes {first} to {last} of {size} differ")
        files.call(416, "GET", path, headers={"Range": f"bytes={size}-"})
        if files.call(200, "GET", path).content != content:
            raise Objection(f"{size} bytes differ when they are read")
        link = files.call(200, "POST", f"{path}/link", json={}).json()["url"]
        if httpx.get(files.server.base + link[link.index("/m/"):], timeout=60, trust_env=False).content != content:
            raise Objection(f"{size} bytes differ behind a link")
    same("keys", sorted(bucket.keys()), sorted(files.object(media) for media in made))
    same("open uploads", bucket.uploads(), [])
    return made


def deleted(bucket: Bucket, files: Files):
    """A deleted file leaves no object. A missing object is no error."""
    one, other = files.upload(b"one"), files.upload(b"other")
    files.call(204, "DELETE", f"/api/v1/media/{one}")
    bucket.client.delete_object(Bucket=NAME, Key=files.object(other))
    files.call(404, "GET", f"/api/v1/media/{other}")
    files.call(204, "DELETE", f"/api/v1/media/{other}")
    for media in (one, other):
        files.call(404, "GET", f"/api/v1/media/{media}")
        if files.object(media) in bucket.keys():
            raise Objection("a deleted file is in the bucket")


def abandoned(bucket: Bucket, files: Files):
    """The parts of an upload that its client abandons are deleted."""
    before, address = bucket.keys(), urlsplit(files.server.base)
    head = (
        f"POST /api/v1/media?name=a.bin HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {files.key}\r\n"
        f"Content-Length: {4 * PART}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port)) as line:
        line.sendall(head.encode() + bytes(PART + PART // 2))
        until("the upload begins", bucket.uploads)
    until("the upload is aborted", lambda: not bucket.uploads())
    same("keys", bucket.keys(), before)


def checks(bucket: Bucket, server: Server):
    """`/readyz` and the doctor check the bucket. The doctor names the setting to correct, and no secret."""
    ready = httpx.get(f"{server.base}/readyz", timeout=30, trust_env=False).json()
    same("check of /readyz", [it["status"] for it in ready["checks"] if it["name"] == "media"], ["ok"])
    before = bucket.keys()
    for more, status, named in [
        ({}, "ok", None),
        ({"BUCKET": "other-files"}, "wrong", "TIDINGS__MEDIA__S3__BUCKET"),
        ({"SECRET_ACCESS_KEY": "wrong"}, "wrong", "TIDINGS__MEDIA__S3__SECRET_ACCESS_KEY"),
        ({"ENDPOINT": "http://127.0.0.1:1"}, "wrong", "TIDINGS__MEDIA__S3__ENDPOINT"),
    ]:
        changed = {f"TIDINGS__MEDIA__S3__{name}": value for name, value in more.items()}
        done = subprocess.run(
            [server.binary, "doctor", "--json"], cwd=server.folder, env=server.environment | changed,
            capture_output=True, text=True,
        )
        found = next(it for it in json.loads(done.stdout)["checks"] if it["name"] == "media")
        same(f"status with {more}: {found}", found["status"], status)
        if named and named not in found["advice"]:
            raise Objection(f"the advice does not name {named}: {found}")
        if SECRET in done.stdout + done.stderr:
            raise Objection("the doctor prints the secret")
    same("keys", bucket.keys(), before)
    # Those with the wrong secret.
    same("refused calls", len(bucket.refused), 1)


def swept(bucket: Bucket, files: Files, made: dict[str, bytes], restart):
    """After a restart, old objects without a row are deleted. Files and foreign objects remain."""
    lost = files.upload(b"lost")
    files.call(204, "DELETE", f"/api/v1/media/{lost}")
    for key in (files.object(lost), f"{PREFIX}notes.txt", "notes.txt"):
        bucket.client.put_object(Bucket=NAME, Key=key, Body=b"lost")
    bucket.make_older()
    files = Files(restart(), files.workspace, files.key)
    try:
        until("the lost object is deleted", lambda: files.object(lost) not in bucket.keys())
        kept = [files.object(media) for media in made] + [f"{PREFIX}notes.txt", "notes.txt"]
        same("keys", sorted(bucket.keys()), sorted(kept))
        for media, content in made.items():
            if files.call(200, "GET", f"/api/v1/media/{media}").content != content:
                raise Objection("a file differs after a restart")
    finally:
        files.server.stop()


def media(_: Path, server: Server) -> str:
    folder = server.folder / "bucket"
    folder.mkdir()
    bucket = Bucket()
    own = Server(server.binary, folder, bucket.settings())
    try:
        workspace = own.new_workspace("files")
        files = Files(own, workspace, own.new_key(workspace, "full"))
        made = stored(bucket, files)
        deleted(bucket, files)
        abandoned(bucket, files)
        checks(bucket, own)
        if list(folder.rglob("media*")):
            raise Objection("files are also in a folder")

        def restart() -> Server:
            own.stop()
            return Server(server.binary, folder, bucket.settings())

        swept(bucket, files, made, restart)
    except BaseException:
        print((folder / "server.log").read_text()[-4000:], file=sys.stderr)
        raise
    finally:
        own.stop()
        bucket.server.shutdown()
    same("refused calls", len(bucket.refused), 1)
    return f"media, moto, boto3, botocore: {len(made)} files of up to {max(SIZES) >> 20} MiB are the same in the bucket"
