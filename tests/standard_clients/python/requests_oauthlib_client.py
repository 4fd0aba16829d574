import os

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from urllib.parse import parse_qs, urlsplit

import requests
from oauthlib.oauth2 import BackendApplicationClient, InvalidGrantError, WebApplicationClient
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from orders import browse, did, orders

# The library has no discovery: the document is at the well-known path of the host, with the issuer's path after it (RFC 8414).
issuer = urlsplit(orders.issuer)
server = requests.get(f"{issuer.scheme}://{issuer.netloc}/.well-known/oauth-authorization-server{issuer.path}").json()
assert server["issuer"] == orders.issuer
did("discovery")

basic = HTTPBasicAuth(orders.client_id, orders.client_secret) if orders.method == "client_secret_basic" else None
in_body = {} if basic else {"client_id": orders.client_id}
if orders.method == "client_secret_post":
    in_body["client_secret"] = orders.client_secret

protocol = WebApplicationClient(orders.client_id)
client = OAuth2Session(client=protocol, redirect_uri=orders.redirect_uri, scope=orders.scope.split(), pkce="S256")
address, state = client.authorization_url(server["authorization_endpoint"])
back = browse(address)
assert parse_qs(urlsplit(back).query)["iss"] == [orders.issuer]
# Checks `state`. As it is, the library has a public client authenticate by Basic with an empty secret.
in_token_request = {"include_client_id": True} if orders.method == "client_secret_post" else {}
tokens = client.fetch_token(
    server["token_endpoint"], authorization_response=back, auth=basic, client_secret=orders.client_secret, **in_token_request
)
assert tokens["scope"] == orders.scope.split()
did("code")

user = f"{orders.issuer}/userinfo"
assert client.get(user).json()["email"]
did("userinfo")

refreshed = client.refresh_token(server["token_endpoint"], auth=basic, **in_body)
assert refreshed["refresh_token"] != tokens["refresh_token"]
did("refresh")

# A public client cannot introspect; the service that it calls can. The library has no introspection.
service = HTTPBasicAuth(orders.service["client_id"], orders.service["client_secret"])


def introspect(token):
    form = {"token": token, "token_type_hint": "access_token"}
    if orders.method == "client_secret_post":
        return requests.post(server["introspection_endpoint"], data=form | in_body).json()
    return requests.post(server["introspection_endpoint"], data=form, auth=basic or service).json()


introspected = introspect(refreshed["access_token"])
assert introspected["active"] is True
assert (introspected["client_id"], introspected["scope"]) == (orders.client_id, orders.scope)
did("introspection")

address, headers, body = protocol.prepare_token_revocation_request(
    server["revocation_endpoint"], refreshed["refresh_token"], "refresh_token", **in_body
)
requests.post(address, data=body, headers=headers, auth=basic).raise_for_status()
assert introspect(refreshed["access_token"]) == {"active": False}
assert client.get(user).status_code == 401
try:
    client.refresh_token(server["token_endpoint"], auth=basic, **in_body)
    raise AssertionError("a revoked token was refreshed")
except InvalidGrantError:
    did("revocation")

if orders.client_secret:
    own = OAuth2Session(client=BackendApplicationClient(orders.client_id), scope=[orders.own_scope])
    own = own.fetch_token(server["token_endpoint"], auth=basic, client_secret=orders.client_secret, **in_token_request)
    assert introspect(own["access_token"])["sub"] == orders.client_id
    did("client_credentials")
