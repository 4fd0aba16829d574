# Needs curl and openssl. Save it as sign_in.sh and run: sh sign_in.sh
ISSUER={{ issuer }}
CLIENT_ID={{ client_id }}
REDIRECT_URI={{ redirect_uri }}
{%- if has_secret %}
: "${CLIENT_SECRET:?is not set}" # from the environment, never in the code
{%- endif %}

# New for each sign-in.
STATE=$(openssl rand -hex 16)
VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')

echo "Open this in a browser:"
echo {{ authorize }}"&state=$STATE&code_challenge=$CHALLENGE&code_challenge_method=S256"
echo "Where did the browser come back to?"
read -r ANSWER
case "$ANSWER" in *"state=$STATE"*) ;; *) echo "This is not the answer to our question." >&2; exit 1 ;; esac
CODE=$(printf %s "$ANSWER" | sed -n 's/.*[?&]code=\([^&#]*\).*/\1/p')

curl --silent --show-error --fail-with-body "$ISSUER/v1/oauth/token" \
  -d grant_type=authorization_code \
  -d "code=$CODE" \
  --data-urlencode "redirect_uri=$REDIRECT_URI" \
  -d "client_id=$CLIENT_ID" \
{%- if has_secret %}
  --data-urlencode "client_secret=$CLIENT_SECRET" \
{%- endif %}
  -d "code_verifier=$VERIFIER"
