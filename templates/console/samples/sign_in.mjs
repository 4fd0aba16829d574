// Node.js 18 or newer. Save it as sign_in.mjs and run: node sign_in.mjs
import { createHash, randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";

const issuer = {{ issuer }};
const clientId = {{ client_id }};
const redirectUri = {{ redirect_uri }};
{%- if has_secret %}
const clientSecret = process.env.CLIENT_SECRET; // from the environment, never in the code
if (!clientSecret) throw new Error("CLIENT_SECRET is not set");
{%- endif %}

// New for each sign-in.
const state = randomBytes(16).toString("base64url");
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

const question = new URLSearchParams({
  response_type: "code",
  client_id: clientId,
  redirect_uri: redirectUri,
{%- if let Some(scope) = scope %}
  scope: {{ scope }},
{%- endif %}
  state,
  code_challenge: challenge,
  code_challenge_method: "S256",
});
console.log(`Open this in a browser:\n${issuer}/v1/oauth/authorize?${question}`);
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const answer = new URL(await terminal.question("Where did the browser come back to?\n")).searchParams;
terminal.close();
if (answer.get("state") !== state || answer.get("iss") !== issuer) throw new Error("This is not the answer to our question.");
if (answer.has("error")) throw new Error(answer.get("error"));

const response = await fetch(`${issuer}/v1/oauth/token`, {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "authorization_code",
    code: answer.get("code"),
    redirect_uri: redirectUri,
    client_id: clientId,
{%- if has_secret %}
    client_secret: clientSecret,
{%- endif %}
    code_verifier: verifier,
  }),
});
const tokens = await response.json();
if (!response.ok) throw new Error(tokens.error_description);
console.log(tokens);
