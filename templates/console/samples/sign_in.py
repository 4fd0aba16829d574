# Python 3 without packages. Save it as sign_in.py and run: python3 sign_in.py
import base64, hashlib, json, os, secrets
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import urlopen

issuer = {{ issuer }}
client_id = {{ client_id }}
redirect_uri = {{ redirect_uri }}
{%- if has_secret %}
client_secret = os.environ["CLIENT_SECRET"]  # from the environment, never in the code
{%- endif %}

# New for each sign-in.
state = secrets.token_urlsafe(16)
verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()

question = urlencode({
    "response_type": "code",
    "client_id": client_id,
    "redirect_uri": redirect_uri,
{%- if let Some(scope) = scope %}
    "scope": {{ scope }},
{%- endif %}
    "state": state,
    "code_challenge": challenge,
    "code_challenge_method": "S256",
})
print(f"Open this in a browser:\n{issuer}/v1/oauth/authorize?{question}")
answer = parse_qs(urlsplit(input("Where did the browser come back to?\n")).query)
if answer.get("state") != [state] or answer.get("iss") != [issuer]:
    raise SystemExit("This is not the answer to our question.")
if "error" in answer:
    raise SystemExit(answer["error"][0])

form = urlencode({
    "grant_type": "authorization_code",
    "code": answer["code"][0],
    "redirect_uri": redirect_uri,
    "client_id": client_id,
{%- if has_secret %}
    "client_secret": client_secret,
{%- endif %}
    "code_verifier": verifier,
})
with urlopen(f"{issuer}/v1/oauth/token", form.encode()) as response:
    print(json.dumps(json.load(response), indent=2))
