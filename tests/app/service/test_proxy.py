"""The example of a reverse proxy, with Debian's nginx: an answer through TLS, and a body that is too large."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from tests.app.service.small import MEAN, serving, token, write
from tests.app.service.test_serve import free_port

import noiseless as nl
from noiseless.app.console.console import with_console
from noiseless.app.service.heads import Punctual
from noiseless.app.service.settings import Settings

EXAMPLE = Path(__file__).parents[3] / "deploy/nginx.conf"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def certified(folder: Path) -> None:
    """A key and a certificate for this machine."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(pem)
    (folder / "cert.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed: apt-get install nginx-light")
def test_an_answer_through_nginx(tmp_path, monkeypatch):
    assert NGINX is not None
    (tmp_path / "data").mkdir()
    file = write(tmp_path / "data")
    header, port = token(file, "ada"), free_port()
    certified(tmp_path)
    app = with_console(Settings.read([file], rate=4))
    with serving(uvicorn.Config(app, port=0, http=Punctual, log_config=None)) as (host, inner):
        said = EXAMPLE.read_text()
        for old, new in (
            ("noiseless:8000", f"{host}:{inner}"),
            ("listen 8443", f"listen 127.0.0.1:{port}"),
            ("/etc/nginx/tls", str(tmp_path)),
            ("worker_processes auto;", f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/errors; user root;"),
            ("http {", "http {" + "".join(f" {each}_temp_path {tmp_path}/{each};" for each in TEMPORARY)),
        ):
            assert old in said
            said = said.replace(old, new)
        (tmp_path / "nginx.conf").write_text(said)
        nginx = subprocess.Popen([NGINX, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "errors"])
        try:
            url = f"https://127.0.0.1:{port}"
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
            wait_for(url, tmp_path / "cert.pem")
            with nl.connect(url, header["Authorization"].removeprefix("Bearer ")) as remote:
                answer = remote.ask(MEAN, error=1)
                assert remote.recall(answer.entry).rows[0].lower == answer.rows[0].lower
                large = remote._http.post("/datasets/people/ask", content=b" " * (1 << 21), headers=header)
                assert large.status_code == 413
                uploaded = remote._http.post("/verify/export", json={"export": "x" * (1 << 21)}, headers=header)
                assert (uploaded.status_code, uploaded.json()["status"]) == (422, 422)
                signed_in(remote._http, url, header["Authorization"].removeprefix("Bearer "))
                spoofed = [{"X-Forwarded-For": f"192.0.2.{k}", "X-Forwarded-Proto": "http"} for k in range(20)]
                assert remote._http.get("/datasets", headers=spoofed[0]).status_code == 401
                assert {remote._http.get("/datasets", headers=each).status_code for each in spoofed} >= {429}
        finally:
            nginx.terminate()
            nginx.wait()


def signed_in(http: httpx2.Client, url: str, text: str) -> None:
    """The console takes the token, because the proxy says which address and protocol the browser used."""
    found = http.post("/console/sign-in", data={"token": text}, headers={"Origin": url})
    assert found.status_code == 303
    assert "Secure" in found.headers["set-cookie"]
    http.cookies.clear()


def wait_for(url: str, certificate: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            context = ssl.create_default_context(cafile=str(certificate))
            assert httpx2.get(f"{url}/health", verify=context).status_code == 200
            return
        except httpx2.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
