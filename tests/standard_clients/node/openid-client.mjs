import assert from 'node:assert/strict'
import * as client from 'openid-client'
import { browse, did, orders } from './orders.mjs'

const methods = { client_secret_basic: client.ClientSecretBasic, client_secret_post: client.ClientSecretPost, none: client.None }
const options = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] }
const discover = (id, authentication) => client.discovery(new URL(orders.issuer), id, undefined, authentication, options)

const server = await discover(orders.client_id, methods[orders.method](orders.client_secret ?? undefined))
assert.ok(server.serverMetadata().supportsPKCE())
did('discovery')

const verifier = client.randomPKCECodeVerifier()
const state = client.randomState()
const address = client.buildAuthorizationUrl(server, {
  redirect_uri: orders.redirect_uri,
  scope: orders.scope,
  state,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
// Checks `state` and `iss`.
const checks = { pkceCodeVerifier: verifier, expectedState: state }
const tokens = await client.authorizationCodeGrant(server, await browse(address), checks)
assert.equal(tokens.scope, orders.scope)
assert.ok(tokens.expiresIn() > 3500)
did('code')

const user = new URL(server.serverMetadata().userinfo_endpoint)
// There is no ID token to compare `sub` with.
const told = await client.fetchUserInfo(server, tokens.access_token, client.skipSubjectCheck)
assert.equal(told.sub, told.email)
assert.ok(Number.isSafeInteger(told.id) && told.id > 0)
did('userinfo')

const refreshed = await client.refreshTokenGrant(server, tokens.refresh_token)
assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
did('refresh')

// A public client cannot introspect; the service that it calls can.
const { service } = orders
const asker = orders.client_secret ? server : await discover(service.client_id, client.ClientSecretPost(service.client_secret))
const introspected = await client.tokenIntrospection(asker, refreshed.access_token)
assert.equal(introspected.active, true)
assert.equal(introspected.client_id, orders.client_id)
assert.equal(introspected.scope, orders.scope)
did('introspection')

await client.tokenRevocation(server, refreshed.refresh_token)
assert.deepEqual(await client.tokenIntrospection(asker, refreshed.access_token), { active: false })
await assert.rejects(client.refreshTokenGrant(server, refreshed.refresh_token), { error: 'invalid_grant' })
await assert.rejects(client.fetchProtectedResource(server, refreshed.access_token, user, 'GET'), { status: 401 })
did('revocation')

if (orders.client_secret) {
  const own = await client.clientCredentialsGrant(server, { scope: orders.own_scope })
  assert.equal((await client.tokenIntrospection(server, own.access_token)).sub, orders.client_id)
  did('client_credentials')
}
