"""Prints, as exports for a shell, what schemathesis is to know of the demo, which says so itself (--json) on standard input.

The demo's user signs in with the demo's console, twice: one sign-in gets an access token, the other one waits for the user's decision."""

import json
import re
import secrets
import shlex
import sys
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

demo = json.load(sys.stdin)
console, issuer = demo["console"], demo["auth_url"]
def visit(browser, url, form=None):
    method = "GET" if form is None else "POST"
    answer = browser.request(method, urljoin(issuer, url), data=form, allow_redirects=False, timeout=10)
    if answer.status_code not in (200, 303):
        sys.exit(f"{url}: {answer.status_code}")
    return answer


def form_token(page):
    return re.search(r'name="form_token" value="([^"]+)"', page.text).group(1)


def sign_in():
    """A browser whose user has signed in, and where it goes on."""
    browser = requests.Session()
    browser.headers["Accept"] = "text/html"
    query = {"response_type": "code", "client_id": console["id"], "redirect_uri": console["redirect_uri"], "state": secrets.token_hex(8)}
    login = visit(browser, requests.Request("GET", f"{issuer}/v1/oauth/authorize", params=query).prepare().url).headers["location"]
    user = demo["user"]
    form = {"form_token": form_token(visit(browser, login)), "email": user["email"], "password": user["password"]}
    return browser, visit(browser, login, form).headers["location"]


browser, consent = sign_in()
back = visit(browser, consent, {"form_token": form_token(visit(browser, consent)), "decision": "allow"}).headers["location"]
code = parse_qs(urlsplit(back).query)["code"][0]
exchange = {"grant_type": "authorization_code", "code": code, "redirect_uri": console["redirect_uri"]}
answer = requests.post(f"{issuer}/v1/oauth/token", data=exchange, auth=(console["id"], console["secret"]), timeout=10)
answer.raise_for_status()
waiting, _ = sign_in()
told = {
    "DEMO_URL": demo["base_url"],
    "DEMO_API_KEY": demo["api_key"],
    "DEMO_ACCESS_TOKEN": answer.json()["access_token"],
    "DEMO_SESSION": waiting.cookies["lyceum-session"],
    "DEMO_CLIENT_ID": demo["service_client"]["id"],
    "DEMO_CLIENT_SECRET": demo["service_client"]["secret"],
}
for name, value in told.items():
    print(f"export {name}={shlex.quote(value)}")
