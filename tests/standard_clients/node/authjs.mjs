// A site that signs its users in with Auth.js. Its provider is a plain one of OAuth, with the addresses of the metadata; with the argument
// `without-issuer` it does not say who the issuer is, as many providers in the wild do not.
import assert from 'node:assert/strict'
import { Auth, skipCSRFCheck } from '@auth/core'
import { browse, did, orders } from './orders.mjs'

const site = new URL(orders.redirect_uri).origin
const errors = []
const config = {
  basePath: '/auth',
  secret: 'a secret of the site, for its own cookies',
  trustHost: true,
  skipCSRFCheck,
  logger: { error: (error) => errors.push(error), warn() {}, debug() {} },
  callbacks: {
    jwt: ({ token, account, profile }) => (account ? { ...token, role: profile.role, account: account.providerAccountId } : token),
    session: ({ session, token }) => ({ ...session, role: token.role, account: token.account }),
  },
  providers: [
    {
      id: 'school',
      name: 'School',
      type: 'oauth',
      issuer: process.argv.includes('without-issuer') ? undefined : orders.issuer,
      clientId: orders.client_id,
      clientSecret: orders.client_secret ?? undefined,
      client: { token_endpoint_auth_method: orders.method },
      authorization: { url: `${orders.issuer}/v1/oauth/authorize`, params: { scope: orders.scope } },
      token: `${orders.issuer}/v1/oauth/token`,
      userinfo: `${orders.issuer}/v1/oauth/userinfo`,
      checks: ['pkce', 'state'],
      profile: (user) => ({ id: String(user.id), email: user.email }),
    },
  ],
}

// The site, as the browser has it: with its cookies.
const cookies = new Map()
async function visit(path, method = 'GET') {
  const headers = { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') }
  const answer = await Auth(new Request(new URL(path, site), { method, headers }), config)
  for (const cookie of answer.headers.getSetCookie()) {
    const [name, ...value] = cookie.split(';')[0].split('=')
    cookies.set(name, value.join('='))
  }
  return answer
}

const started = await visit('/auth/signin/school', 'POST')
const back = await browse(started.headers.get('location'))
assert.equal(`${back.origin}${back.pathname}`, orders.redirect_uri)
const ended = await visit(back)
if (errors.length > 0) {
  const [{ cause }] = errors
  assert.match(String(cause?.err ?? errors[0]), /unexpected "iss" \(issuer\) response parameter value/)
  assert.match(ended.headers.get('location'), /error=/)
  did('iss refused')
} else {
  assert.equal(ended.headers.get('location'), site)
  did('code')
  const session = await (await visit('/auth/session')).json()
  assert.equal(session.user.email, orders.email)
  assert.equal(session.role, 'USER')
  assert.match(session.account, /^[1-9][0-9]{0,15}$/)
  did('userinfo')
}
