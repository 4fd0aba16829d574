import assert from 'node:assert/strict'
import * as oauth from 'oauth4webapi'
import { browse, did, orders } from './orders.mjs'

const http = { [oauth.allowInsecureRequests]: true }
const authentication = {
  client_secret_basic: () => oauth.ClientSecretBasic(orders.client_secret),
  client_secret_post: () => oauth.ClientSecretPost(orders.client_secret),
  none: () => oauth.None(),
}[orders.method]()
const client = { client_id: orders.client_id }

const issuer = new URL(orders.issuer)
const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http })
const server = await oauth.processDiscoveryResponse(issuer, discovered)
assert.ok(server.token_endpoint_auth_methods_supported.includes(orders.method))
did('discovery')

const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const address = new URL(server.authorization_endpoint)
address.search = new URLSearchParams({
  response_type: 'code',
  client_id: orders.client_id,
  redirect_uri: orders.redirect_uri,
  scope: orders.scope,
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
// Checks `state` and `iss`.
const answer = oauth.validateAuthResponse(server, client, await browse(address), state)
const exchanged = await oauth.authorizationCodeGrantRequest(server, client, authentication, answer, orders.redirect_uri, verifier, http)
const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged)
assert.equal(tokens.scope, orders.scope)
did('code')

async function claims(token) {
  const request = new Request('https://timetable.example/lessons', { headers: { authorization: `Bearer ${token}` } })
  return oauth.validateJwtAccessToken(server, request, orders.audience, http)
}
const { client_id, scope } = await claims(tokens.access_token)
assert.deepEqual({ client_id, scope }, { client_id: orders.client_id, scope: orders.scope })
did('token')

const user = new URL(server.userinfo_endpoint)
const { sub } = await claims(tokens.access_token)
// Checks `sub`.
const told = await oauth.processUserInfoResponse(server, client, sub, await oauth.userInfoRequest(server, client, tokens.access_token, http))
assert.equal(told.email, sub)
assert.ok(Number.isSafeInteger(told.id) && told.id > 0)
did('userinfo')

const refresh = async (token) => {
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, http)
  return oauth.processRefreshTokenResponse(server, client, response)
}
const refreshed = await refresh(tokens.refresh_token)
assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
await claims(refreshed.access_token)
did('refresh')

// A public client cannot introspect; the service that it calls can.
const [asker, proof] = orders.client_secret
  ? [client, authentication]
  : [{ client_id: orders.service.client_id }, oauth.ClientSecretBasic(orders.service.client_secret)]
const introspect = async (token) => {
  const response = await oauth.introspectionRequest(server, asker, proof, token, http)
  return oauth.processIntrospectionResponse(server, asker, response)
}
const introspected = await introspect(refreshed.access_token)
assert.equal(introspected.active, true)
assert.equal(introspected.client_id, orders.client_id)
assert.equal(introspected.scope, orders.scope)
did('introspection')

const revoked = await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token, http)
await oauth.processRevocationResponse(revoked)
assert.deepEqual(await introspect(refreshed.access_token), { active: false })
await assert.rejects(refresh(refreshed.refresh_token), { error: 'invalid_grant' })
const refused = oauth.protectedResourceRequest(refreshed.access_token, 'GET', user, undefined, undefined, http)
await assert.rejects(refused, (error) => error.cause[0].scheme === 'bearer' && error.cause[0].parameters.error === 'invalid_token')
did('revocation')

if (orders.client_secret) {
  const requested = await oauth.clientCredentialsGrantRequest(server, client, authentication, { scope: orders.own_scope }, http)
  const own = await oauth.processClientCredentialsResponse(server, client, requested)
  assert.equal((await claims(own.access_token)).sub, orders.client_id)
  did('client_credentials')

  const wrong = orders.method === 'client_secret_basic' ? oauth.ClientSecretBasic('wrong') : oauth.ClientSecretPost('wrong')
  const response = await oauth.clientCredentialsGrantRequest(server, client, wrong, {}, http)
  const processed = oauth.processClientCredentialsResponse(server, client, response)
  await assert.rejects(processed, (error) =>
    orders.method === 'client_secret_basic' ? error.cause[0].scheme === 'basic' : error.error === 'invalid_client',
  )
  did('wrong secret')
}
