import os

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "true"

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator

from orders import browse, did, orders

server = AuthorizationServerMetadata(requests.get(get_well_known_url(orders.issuer, external=True)).json())
server.validate()
assert server["issuer"] == orders.issuer
did("discovery")


def session(client_id, client_secret, method):
    return OAuth2Session(
        client_id,
        client_secret,
        token_endpoint_auth_method=method,
        revocation_endpoint_auth_method=method,
        scope=orders.scope,
        redirect_uri=orders.redirect_uri,
        code_challenge_method="S256",
    )


client = session(orders.client_id, orders.client_secret, orders.method)
verifier = generate_token(48)
address, state = client.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
back = browse(address)
assert f"iss={requests.utils.quote(orders.issuer, safe='')}" in back, back
# Checks `state`.
tokens = client.fetch_token(server["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier)
assert tokens["scope"] == orders.scope
did("code")


class Validator(JWTBearerTokenValidator):
    def get_jwks(self):
        return requests.get(server["jwks_uri"]).json()


def claims(token):
    validator = Validator(orders.issuer, orders.audience)
    read = validator.authenticate_token(token)
    validator.validate_token(read, [orders.own_scope], None)
    return read


assert claims(tokens["access_token"])["client_id"] == orders.client_id
did("token")

user = server["userinfo_endpoint"]
told = client.get(user).json()
assert told["email"] == told["sub"] == claims(tokens["access_token"])["sub"]
assert type(told["id"]) is int and 0 < told["id"] < 2**53
did("userinfo")

refreshed = client.refresh_token(server["token_endpoint"], tokens["refresh_token"])
assert refreshed["refresh_token"] != tokens["refresh_token"]
claims(refreshed["access_token"])
did("refresh")

# A public client cannot introspect; the service that it calls can.
service = orders.service
asker = client if orders.client_secret else session(service["client_id"], service["client_secret"], "client_secret_basic")


def introspect(token):
    return asker.introspect_token(server["introspection_endpoint"], token, "access_token").json()


introspected = introspect(refreshed["access_token"])
assert introspected["active"] is True
assert (introspected["client_id"], introspected["scope"]) == (orders.client_id, orders.scope)
did("introspection")

assert client.revoke_token(server["revocation_endpoint"], refreshed["refresh_token"], "refresh_token").status_code == 200
assert introspect(refreshed["access_token"]) == {"active": False}
assert client.get(user).status_code == 401
try:
    client.refresh_token(server["token_endpoint"], refreshed["refresh_token"])
    raise AssertionError("a revoked token was refreshed")
except OAuthError as error:
    assert error.error == "invalid_grant", error
did("revocation")

if orders.client_secret:
    own = session(orders.client_id, orders.client_secret, orders.method)
    own = own.fetch_token(server["token_endpoint"], grant_type="client_credentials", scope=orders.own_scope)
    assert claims(own["access_token"])["sub"] == orders.client_id
    did("client_credentials")
