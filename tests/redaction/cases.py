r"""What is hidden and what is not, to be read by a person. Every key here is made up.

A case is a text. What is hidden stands between `«` and `»`, the kind after a bar: `token «abc|board-key» end`. A text without `«` must
come out as it went in. `{n:alphabet}` is filled with n characters, so that no key stands whole in this file and no scanner of
repositories takes one for real.
"""

import re

ALPHABETS = {
    "alnum": "x7Q2mK9dT4wB1hN6",
    "word": "x7_Q2-mK9dT4wB1h",
    "hex": "0123456789abcdef",
    "upper": "Q7XK2MTB4WHN",
    "b64": "x7Q2+mK9/dT4wB1hN6",
    "digit": "4928170356",
}
_FILL = re.compile(r"\{(\d+):(\w+)\}")


def filled(text: str) -> str:
    """The text with its keys filled in."""

    def some(match: re.Match[str]) -> str:
        letters = ALPHABETS[match[2]]
        return (letters * (int(match[1]) // len(letters) + 1))[: int(match[1])]

    return _FILL.sub(some, text)


HIDDEN = r"""
# ours
board key «mcp_{8:hex}_{32:alnum}|board-key» end
{"key": "«mcp_{8:hex}_{40:alnum}|board-key»"}
X-API-Key: «mcp_{8:hex}_{32:alnum}|token»

# behind what is no word's edge: a line's end in JSON, a colour, a coded character
{"text": "a line\\n«ghp_{36:alnum}|github»\\nanother"}
\x1b[32m«xoxb-{12:digit}-{24:alnum}|slack»\x1b[0m
\x1b[1m«AKIA{16:upper}|aws-key-id»\x1b[0m
https://example.org/?next=%2Fa%3Fb%3D«sk-{48:alnum}|openai»%26c
\\t«key-{32:hex}|mailgun»

# headers
Authorization: Bearer «{24:word}|authorization»
authorization: bearer «{12:word}|authorization»
curl -H "Authorization: Bearer «abc.def_123|authorization»" https://example.org/
curl -H 'Proxy-Authorization: Basic «dXNlcjpwYXNz|authorization»' https://example.org/
{"Authorization": "Basic «dXNlcjpwYXNzd29yZA==|authorization»"}
"{\"Authorization\": \"token «{20:alnum}|authorization»\"}"
Authorization: Digest «username="u", realm="r", response="{32:hex}"|authorization»
Authorization: AWS4-HMAC-SHA256 «Credential=AKIA/2026/x, SignedHeaders=host, Signature={32:hex}|authorization»
Authorization: «{16:alnum}|authorization»
sent Bearer «{24:word}|bearer» to the server
Cookie: «sid={16:alnum}; theme=dark|cookie»
Set-Cookie: «session=s%3A{16:alnum}; Path=/; HttpOnly|cookie»
curl -H "Cookie: «a=b; c=d|cookie»" https://example.org/
x-api-key: «{24:alnum}|token»
X-Auth-Token: «{24:alnum}|token»
PRIVATE-TOKEN: «{24:alnum}|token»
Ocp-Apim-Subscription-Key: «{32:hex}|token»
seen «eyJ{20:alnum}.eyJ{20:alnum}.{30:word}|jwt» in the log
{"id_token":"«eyJ{20:alnum}.eyJ{20:alnum}.{30:word}|token»"}

# keys of model providers
«sk-ant-api03-{93:word}AA|anthropic»
(«sk-ant-oat01-{40:word}|anthropic»)
«sk-ant-admin01-{40:word}|anthropic», then
«sk-proj-{48:word}|openai»
«sk-svcacct-{48:word}|openai»
«sk-admin-{48:word}|openai»
«sk-{48:alnum}|openai»
«sk-or-v1-{64:hex}|openrouter»
«AIza{35:word}|google»
?key=«AIza{35:word}|google»&alt=sse
«ya29.{60:word}|google-oauth»
«1//0{40:word}|google-oauth»
«GOCSPX-{28:word}|google-oauth»
«hf_{34:alnum}|huggingface»
«gsk_{52:alnum}|groq»
«pplx-{48:alnum}|perplexity»
«xai-{80:alnum}|xai»
«r8_{37:alnum}|replicate»
«lsv2_pt_{32:hex}_{10:hex}|langsmith»
«key_{64:hex}|cursor»

# clouds
«AKIA{16:upper}|aws-key-id»
id «ASIA{16:upper}|aws-key-id» of a session
aws_secret_access_key = «{40:b64}|aws-secret»
"SecretAccessKey": "«{40:b64}|aws-secret»"
AWS_SECRET_ACCESS_KEY=«{40:b64}|aws-secret»
https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=«{64:hex}|aws-signature»
«ABSK{110:b64}|aws-bedrock»
DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«{86:b64}==|azure-storage»;EndpointSuffix=x
Endpoint=sb://n.example/;SharedAccessKeyName=Root;SharedAccessKey=«{43:b64}=|azure-storage»
https://a.blob.core.windows.net/c?sv=2024-11-04&sp=r&sig=«{43:alnum}%3D|azure-sas»
«abc8Q~{34:alnum}|azure-client»
«dop_v1_{64:hex}|digitalocean»
«doo_v1_{64:hex}|digitalocean»
«LTAI{20:alnum}|alibaba»
«fm2_{60:alnum}|flyio»
«HRKU-AA{58:word}|heroku»
«sbp_{40:hex}|supabase»
«tskey-auth-{30:alnum}|tailscale»
«t1.{8:alnum}.{86:word}|yandex»
«v1.0-{24:hex}-{146:hex}|cloudflare»

# code, packages, operations
«ghp_{36:alnum}|github»
«gho_{36:alnum}|github»
«ghs_{36:alnum}|github»
«github_pat_{22:alnum}_{59:alnum}|github»
git clone https://«ghp_{36:alnum}|github»:«x-oauth-basic|password»@github.com/o/r
«glpat-{20:word}|gitlab»
«glrt-{24:word}|gitlab»
«GR1348941{20:word}|gitlab»
«npm_{36:alnum}|npm»
//registry.example.org/:_authToken=«npm_{36:alnum}|token»
«pypi-AgEIcHlwaS5vcmc{80:word}|pypi»
«rubygems_{48:hex}|rubygems»
«cio{32:alnum}|crates»
«oy2q7k2m9d4w1h6n{30:hex}|nuget»
«CLOJARS_{60:hex}|clojars»
«AKCp{69:alnum}|artifactory»
«pscale_tkn_{43:word}|planetscale»
«CCIPAT_{22:alnum}_{40:hex}|circleci»
«sgp_{16:hex}_{40:hex}|sourcegraph»
«dt0c01.{24:alnum}.{64:alnum}|dynatrace»
«rdme_{70:hex}|readme»
«pnu_{36:alnum}|prefect»
«dckr_pat_{27:word}|docker»
x.«atlasv1.{67:word}|terraform»
«hvs.{90:word}|vault»
«pul-{40:hex}|pulumi»
«dapi{32:hex}-2|databricks»
«dp.pt.{43:alnum}|doppler»
«bkua_{40:alnum}|buildkite»
«sha256~{43:word}|openshift»
«sntryu_{64:hex}|sentry»
«PMAK-{24:hex}-{34:hex}|postman»
«glsa_{32:alnum}_{8:hex}|grafana»
«NRAK-{27:upper}|newrelic»

# talk and mail
«xoxe.xoxb-1-{163:upper}|slack»
«MTQ{23:alnum}.{6:alnum}.{38:word}|discord»
https://o.webhook.office.com/webhookb2/«{8:hex}-{4:hex}-{4:hex}-{4:hex}-{12:hex}@{8:hex}/IncomingWebhook/{32:hex}|teams»
bot «{9:digit}:A{34:word}|telegram»
«xkeysib-{64:hex}-{16:alnum}|sendinblue»
«ops_eyJ{250:alnum}|onepassword»
«A3-{6:upper}-{6:upper}-{5:upper}-{5:upper}-{5:upper}-{5:upper}|onepassword»
«EAAC{120:alnum}|facebook»
«AAAAAAAAAAAAAAAAAAAAAA{90:alnum}|twitter»
«xoxb-{12:digit}-{12:digit}-{24:alnum}|slack»
«xoxp-{12:digit}-{12:digit}-{32:hex}|slack»
«xapp-1-A{10:upper}-{13:digit}-{32:hex}|slack»
https://hooks.slack.com/services/«T{8:upper}/B{8:upper}/{24:alnum}|slack»
https://discord.com/api/webhooks/«{18:digit}/{40:word}|discord»
https://api.telegram.org/bot«{9:digit}:A{34:word}|telegram»/getMe
«SK{32:hex}|twilio»
«SG.{22:word}.{43:word}|sendgrid»
«key-{32:hex}|mailgun»
«{32:hex}-us12|mailchimp»
«ATATT3{100:word}|atlassian»
«lin_api_{40:alnum}|linear»
«ntn_{11:digit}{35:alnum}|notion»
«figd_{40:word}|figma»

# money
«sk_live_{24:alnum}|stripe»
«rk_test_{24:alnum}|stripe»
«whsec_{32:alnum}|stripe»
«shpat_{32:hex}|shopify»
«sq0atp-{22:word}|square»
«EZAK{54:alnum}|easypost»
«duffel_test_{43:word}|duffel»

# private keys
«-----BEGIN RSA PRIVATE KEY-----\n{64:b64}\n{20:b64}=\n|private-key»-----END RSA PRIVATE KEY-----
«-----BEGIN ENCRYPTED PRIVATE KEY-----\n{64:b64}\n|private-key»-----END ENCRYPTED PRIVATE KEY-----
{"private_key": "«-----BEGIN PRIVATE KEY-----\\n{64:b64}\\n-----END PRIVATE KEY-----|token»"}
key «-----BEGIN OPENSSH PRIVATE KEY-----\n{70:b64}\n{70:b64}|private-key»
«-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{32:hex}\n\n{64:b64}\n|private-key»-----END EC PRIVATE KEY-----
«-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: Some v2 (Linux)\n\n{64:b64}\n|private-key»-----END PGP PRIVATE KEY BLOCK-----
     1→«-----BEGIN RSA PRIVATE KEY-----\n     2→{64:b64}\n     3→{20:b64}=\n     4→|private-key»-----END RSA PRIVATE KEY-----
+«-----BEGIN RSA PRIVATE KEY-----\n+{64:b64}\n+|private-key»-----END RSA PRIVATE KEY-----
«MIIEpAIBAAKCAQEA{40:b64}\n{64:b64}|private-key»
«Private-Lines: 8\n{64:b64}\n{64:b64}\n|private-key»
«AGE-SECRET-KEY-1{58:upper}|age»

# addresses and connection strings
postgres://app:«s3cr3t|password»@db.example:5432/app
postgresql+psycopg://app:«p%40ss|password»@db/app
redis://:«{12:alnum}|password»@cache:6379/0
mongodb+srv://u:«{12:alnum}|password»@c.example/db?retryWrites=true
amqp://guest:«guest1|password»@mq
https://user:«pa/ss|password»@example.org/x
Server=db;User Id=sa;Password=«{12:alnum}|password»;Encrypt=true
Server=db;Uid=sa;Pwd=«{12:alnum}|password»;
curl -u admin:«{10:alnum}|password» https://example.org/
curl --user=admin:«swordfish9|password» https://example.org/
machine example.org login me password «{10:alnum}|password»

# KEY=value, JSON, YAML, options
PASSWORD=«swordfish|password»
DB_PASSWORD="«open sesame|password»"
export MYSQL_PASS=«{8:alnum}|password»
password: «swordfish|password»\nuser: me
password: '«it is long|password»'
  "password": "«a\\"b|password»",
"{\"password\": \"«{8:alnum}|password»\"}"
"{\\\"password\\\": \\\"«{8:alnum}|password»\\\"}"
{'passwd': '«{8:alnum}|password»'}
passphrase = «{10:alnum}|password»
client_secret=«{20:alnum}|secret»
"{\"client_secret\": \"«{20:alnum}|secret»\"}"
"{\\\"client_secret\\\": \\\"«{20:alnum}|secret»\\\"}"
deploy --client-secret «{20:alnum}|secret»
"{\"apiKey\": \"«{20:alnum}|token»\"}"
"{\\\"apiKey\\\": \\\"«{20:alnum}|token»\\\"}"
PASSWORD=«swordfish|password» ./run
"client-secret": "«{20:alnum}|secret»"
SECRET_KEY_BASE: «{40:hex}|secret»
DJANGO_SECRET='«{20:alnum}|secret»'
API_KEY=«{20:alnum}|token»
apiKey: "«{20:alnum}|token»",
"accessToken": "«{20:alnum}|token»"
GITHUB_TOKEN=«ghp_{36:alnum}|token»
token := "«{20:alnum}|token»"
token => '«{20:alnum}|token»'
encryption_key = «{32:hex}|token»
https://example.org/cb?access_token=«{20:alnum}|token»&state=1
https://example.org/cb?client_secret=«{20:alnum}|secret»&code=1
deploy --token «{20:alnum}|token» --yes
deploy --password=«hunter2|password»
deploy --db-password «hunter2|password»
tool --api-key=«{20:alnum}|token»
<password>x</password> password=«{8:alnum}|password»
"""

PLAIN = r"""
# prose
The token count of this prompt is 512.
Please enter your password: it must be at least 8 characters long.
Reset the password, then sign in again.
A secret is something that one keeps.
The bearer of this letter may pass.
Basic authentication is off by default.
Authorization: required
The cookie: a small, round biscuit.
We talked about API keys: how to make them, how to lose them.
Secrets live in a vault; tokens expire; passwords are hashed.
Key takeaways: sleep more.
See the section "private key" of the manual.
He said: password, please!
I set password to a new value yesterday.
Ask the author: she knows.
Bearer authentication-scheme is described there.
Use `Authorization: Bearer <token>` in each call.
The keyboard shortcut is Ctrl+K.
The user's secret: chocolate.

# counters and settings that only sound like secrets
token_count=5
max_tokens: 4096
"max_tokens": 4096,
total_tokens=18234 cached_tokens=12000
"token_type": "bearer"
token_url: https://example.org/token
tokenizer: o200k_base
tokens = 12
token = 7
password_min_length: 12
password_file=/run/secrets/db
secretName: database-login
secret_name = "database-login"
api_key_id: 4
key_id=abc123def456
public_key: ssh-ed25519
primary_key=True
sort_key: created_at
cache-key: deps-v1-4928170356
keyboard=us
author=jane
authority: example.org
passed=12 failed=0
passive: true
compass: north
credentialsFile: /etc/login
secret: true
secrets: inherit
"secret": false,
password: null
"password": "",
"token": ""

# references and placeholders
password: ${DB_PASSWORD}
password=$DB_PASSWORD
PASSWORD=$(cat /run/secrets/db)
"password": "<your password>"
"apiKey": "${env:ACME_KEY}"
api_key: {{ vault.api_key }}
token: ${{ secrets.GITHUB_TOKEN }}
token = os.environ["TOKEN"]
token = os.environ.get("TOKEN")
token: process.env.TOKEN
api_key=***
"password": "********"
password: <redacted>
password=%DB_PASSWORD%
API_KEY=xxxxxxxxxxxx
Authorization: Bearer $TOKEN
Authorization: Bearer ${TOKEN}
postgres://user:${PASSWORD}@host/db
postgres://user:<password>@host/db
curl -u "$USER:$PASS" https://example.org/
deploy --token TOKEN
deploy --password <password>

# code
def login(user, password: str, token: str | None = None):
password = get_password()
password = request.form.get("name")
token = generate_token(user)
token = parser.next_token()
self.password = password
connect(password=password, secret=secret)
if token == other_token:
const token = useToken();
secret := loadSecret(ctx)
return {"token": token}
"token": "punctuation.definition"
import secrets
for token in tokens:
password?: string;
apiKey: string;
let apiKey = config.apiKey;
private_key = load_key(path)
class TokenBucket:
git commit -m "Rotate tokens"
ghp_ is the prefix, sk- another, AKIA a third
docker run -u 1000:1000 image
docker run --user node:node image
npm_config_registry=https://registry.example.org/
PWD=/work/app
OLDPWD=/work

# hashes, ids, encodings
commit {40:hex}
index {7:hex}..{7:hex} 100644
3f2b8c1a-9d4e-4f6a-8b7c-1d2e3f4a5b6c
sha256:{64:hex}
"integrity": "sha512-{86:b64}=="
resolved "https://registry.example.org/a/-/a-1.0.0.tgz#{40:hex}"
--hash=sha256:{64:hex} \
h1:{43:b64}=
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{120:b64}==
ETag: "{32:hex}"
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43:b64} me@example
-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE{64:b64}\n-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{64:b64}\n-----END PUBLIC KEY-----
SHA256:{43:b64}
eyJhbGciOiJIUzI1NiJ9 alone is a header
trace 00-{32:hex}-{16:hex}-01
0x{40:hex}
msg_01{22:alnum} and toolu_01{22:alnum}
call_{24:alnum} of session {8:hex}
req_011C{20:alnum}
chatcmpl-{29:alnum}
pk_live is public: see pk_ in the docs

# addresses without a password
https://example.org:8080/path@v2/file
http://localhost:3000
ssh://git@example.org:22/o/r.git
git@example.org:o/r.git
postgres://user@host/db
https://example.org/?q=a:b@c
see http://[::1]:8080/x
mailto:me@example.org
10:42:07 INFO 127.0.0.1:51234 - "GET /x HTTP/1.1" 200
"""


def _lines(text: str) -> list[str]:
    return [line for line in text.strip("\n").split("\n") if line and not line.startswith("# ")]


def _unfolded(line: str) -> str:
    r"""`\n` of a case is a line's end, `\\` one backslash, `\x1b` what begins a colour."""
    signs = {"n": "\n", "\\": "\\", "x1b": "\x1b"}
    return re.sub(r"\\(n|\\|x1b)", lambda match: signs[match[1]], line)


_SECRET = re.compile(r"«(.*?)\|([a-z0-9-]+)»", re.DOTALL)


def hidden() -> list[tuple[str, str]]:
    """Text, and what must come out."""
    cases = [filled(_unfolded(line)) for line in _lines(HIDDEN)]
    return [(_SECRET.sub(r"\1", case), _SECRET.sub(r"[redacted:\2]", case)) for case in cases]


def plain() -> list[str]:
    """Texts that stay."""
    return [filled(_unfolded(line)) for line in _lines(PLAIN)]
