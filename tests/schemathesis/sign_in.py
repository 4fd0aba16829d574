"""Signs the demo's user in with its console, and prints the access token. Reads what the demo says of itself (--json) from standard input."""

import json
import re
import secrets
import sys
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

demo = json.load(sys.stdin)
console, issuer = demo["console"], demo["auth_url"]
browser = requests.Session()
browser.headers["Accept"] = "text/html"


def visit(url, form=None):
    method = "GET" if form is None else "POST"
    answer = browser.request(method, urljoin(issuer, url), data=form, allow_redirects=False, timeout=10)
    if answer.status_code not in (200, 303):
        sys.exit(f"{url}: {answer.status_code}")
    return answer


def form_token(page):
    return re.search(r'name="form_token" value="([^"]+)"', page.text).group(1)


query = {"response_type": "code", "client_id": console["id"], "redirect_uri": console["redirect_uri"], "state": secrets.token_hex(8)}
login = visit(requests.Request("GET", f"{issuer}/v1/oauth/authorize", params=query).prepare().url).headers["location"]
user = demo["user"]
form = {"form_token": form_token(visit(login)), "email": user["email"], "password": user["password"]}
consent = visit(login, form).headers["location"]
back = visit(consent, {"form_token": form_token(visit(consent)), "decision": "allow"}).headers["location"]
code = parse_qs(urlsplit(back).query)["code"][0]
exchange = {"grant_type": "authorization_code", "code": code, "redirect_uri": console["redirect_uri"]}
answer = requests.post(f"{issuer}/v1/oauth/token", data=exchange, auth=(console["id"], console["secret"]), timeout=10)
answer.raise_for_status()
print(answer.json()["access_token"])
