r"""Keys that can be told by their own form: the table of providers.

`{n}` in a pattern is the least number of characters that providers were seen to use; most tails go on as long as the characters do, so
a key that grows is still hidden whole.
"""

from agent_connector.redaction.model import Pattern

_LEAKS = "github.com/gitleaks/gitleaks config/gitleaks.toml, rule {} (seen 2026-12-01)"
_TELEGRAM = "core.telegram.org/bots/api, authorizing your bot (2026-12-01)"
ALNUM = "[A-Za-z0-9]"
WORDLIKE = "[A-Za-z0-9_-]"
DOTTED = "[A-Za-z0-9_.-]"
BASE64 = "[A-Za-z0-9+/=]"
HEX = "[0-9a-f]"


def _seen(rule: str) -> str:
    return _LEAKS.format(rule)


OWN: tuple[Pattern, ...] = (
    Pattern(
        "board-key",
        "key of a task board",
        r"\b(mcp_[a-z0-9]{8}_[A-Za-z0-9]{32})",
        "our own board, docs/board.md",
        ALNUM,
    ),
)

MODELS: tuple[Pattern, ...] = (
    Pattern(
        "anthropic",
        "Anthropic key or login token",
        r"\b(sk-ant-[a-z]{2,8}[0-9]{2}-[\w-]{20})",
        _seen("anthropic-api-key"),
        WORDLIKE,
    ),
    Pattern(
        "openai",
        "OpenAI key of a project, service account or admin",
        r"\b(sk-(?:proj|svcacct|service|admin|None)-[\w-]{20})",
        _seen("openai-api-key"),
        WORDLIKE,
    ),
    Pattern(
        "openrouter",
        "OpenRouter key",
        r"\b(sk-or-v1-[0-9a-f]{32})",
        "openrouter.ai/docs/api-keys, prefix sk-or-v1- (2026-12-01)",
        ALNUM,
    ),
    Pattern(
        "openai",
        "OpenAI key of the old form, and others that copy it",
        r"\b(sk-[A-Za-z0-9]{32})",
        _seen("openai-api-key"),
        WORDLIKE,
    ),
    Pattern("google", "Google API key", r"\b(AIza[\w-]{35})", _seen("gcp-api-key"), WORDLIKE),
    Pattern(
        "google-oauth",
        "Google OAuth access token",
        r"\b(ya29\.[\w-]{20})",
        "developers.google.com/identity/protocols/oauth2, access tokens (2026-12-01)",
        DOTTED,
    ),
    Pattern(
        "google-oauth",
        "Google OAuth refresh token",
        r"\b(1//0[\w-]{30})",
        "developers.google.com/identity/protocols/oauth2, refresh tokens (2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "google-oauth",
        "Google OAuth client secret",
        r"\b(GOCSPX-[\w-]{20})",
        "docs.github.com/code-security/secret-scanning, google_oauth_client_secret (2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "huggingface",
        "Hugging Face token",
        r"\b((?:hf|api_org)_[A-Za-z0-9]{30})",
        _seen("huggingface-access-token"),
        ALNUM,
    ),
    Pattern(
        "groq",
        "Groq key",
        r"\b(gsk_[A-Za-z0-9]{40})",
        "github.com/gitleaks/gitleaks rules/groq.go (seen 2026-12-01)",
        ALNUM,
    ),
    Pattern("perplexity", "Perplexity key", r"\b(pplx-[A-Za-z0-9]{48})", _seen("perplexity-api-key"), ALNUM),
    Pattern("xai", "xAI key", r"\b(xai-[A-Za-z0-9]{60})", "docs.x.ai, API keys (2026-12-01)", ALNUM),
    Pattern(
        "replicate",
        "Replicate token",
        r"\b(r8_[A-Za-z0-9]{37})",
        "docs.github.com secret scanning, replicate_api_token (2026-12-01)",
        ALNUM,
    ),
    Pattern(
        "langsmith",
        "LangSmith key",
        r"\b(lsv2_(?:pt|sk)_[0-9a-f]{32})",
        "github.com/gitleaks/gitleaks rules/langsmith.go (seen 2026-12-01)",
        "[0-9a-f_]",
    ),
    Pattern("cursor", "Cursor key", r"\b(key_[0-9a-f]{64})", "cursor.com/docs/cli, CURSOR_API_KEY (2026-12-01)", HEX),
)

CLOUDS: tuple[Pattern, ...] = (
    Pattern(
        "aws-key-id",
        "AWS access key id",
        r"\b((?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16})\b",
        _seen("aws-access-token"),
    ),
    Pattern(
        "aws-secret",
        "AWS secret access key by its name",
        r"""(?i:secret_?access_?key)(?:\\{0,3}["'])?[ \t]{0,4}[:=]{1,2}[ \t]{0,4}(?:\\{0,3}["'])?([A-Za-z0-9+/]{40})""",
        "docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html (2026-12-01)",
        BASE64,
    ),
    Pattern(
        "aws-signature",
        "signature or session of a signed AWS request",
        r"(?i:x-amz-(?:signature|security-token)(?:=|%3D))([A-Za-z0-9%+/=]{16})",
        "docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html (2026-12-01)",
        "[A-Za-z0-9%+/=]",
    ),
    Pattern(
        "aws-bedrock",
        "Amazon Bedrock key",
        r"\b(ABSK[A-Za-z0-9+/]{100})",
        "github.com/gitleaks/gitleaks rules/aws.go (seen 2026-12-01)",
        BASE64,
    ),
    Pattern(
        "azure-storage",
        "Azure storage or service bus key in a connection string",
        r"(?i:\b(?:account|sharedaccess)key=)([A-Za-z0-9+/]{40})",
        "learn.microsoft.com/azure/storage/common/storage-configure-connection-string (2026-12-01)",
        BASE64,
    ),
    Pattern(
        "azure-sas",
        "signature of an Azure shared access URL",
        r"\b(?i:sig=)([A-Za-z0-9%+/]{40})",
        "learn.microsoft.com/azure/storage/common/storage-sas-overview (2026-12-01)",
        "[A-Za-z0-9%+/=]",
    ),
    Pattern(
        "azure-client",
        "Microsoft Entra client secret",
        r"\b([\w~.]{3}[0-9]Q~[\w~.-]{31})",
        _seen("azure-ad-client-secret"),
        "[A-Za-z0-9_~.-]",
    ),
    Pattern("digitalocean", "DigitalOcean token", r"\b(do[opr]_v1_[0-9a-f]{64})", _seen("digitalocean-pat"), HEX),
    Pattern("alibaba", "Alibaba access key id", r"\b(LTAI[A-Za-z0-9]{20})", _seen("alibaba-access-key-id"), ALNUM),
    Pattern(
        "yandex",
        "Yandex token",
        r"\b(t1\.[A-Za-z0-9_-]{4,100}={0,2}\.[\w-]{80})",
        _seen("yandex-access-token"),
        "[A-Za-z0-9_=-]",
    ),
    Pattern(
        "cloudflare",
        "Cloudflare origin key",
        r"\b(v1\.0-[0-9a-f]{24}-[0-9a-f]{100})",
        _seen("cloudflare-origin-ca-key"),
        HEX,
    ),
    Pattern(
        "flyio",
        "Fly.io token",
        r"\b((?:fo1_|fm1[ar]_|fm2_)[\w+/-]{43})",
        _seen("flyio-access-token"),
        "[A-Za-z0-9_+/=-]",
    ),
    Pattern(
        "heroku",
        "Heroku key",
        r"\b(HRKU-AA[\w-]{30})",
        "github.com/gitleaks/gitleaks rules/heroku.go (seen 2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "supabase",
        "Supabase key",
        r"\b(sb(?:p_[0-9a-f]{40}|_secret_[\w-]{20}))",
        "supabase.com/docs/guides/api/api-keys (2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "tailscale",
        "Tailscale key",
        r"\b(tskey-[a-z]{3,10}-[A-Za-z0-9-]{16})",
        "tailscale.com/kb/1277/key-prefixes (2026-12-01)",
        WORDLIKE,
    ),
)

CODE: tuple[Pattern, ...] = (
    Pattern(
        "github",
        "GitHub token",
        r"\b(gh[pousr]_[A-Za-z0-9]{36})",
        "github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available (2021-03-31)",
        "[A-Za-z0-9_]",
    ),
    Pattern(
        "github",
        "GitHub fine-grained token",
        r"\b(github_pat_\w{36})",
        _seen("github-fine-grained-pat"),
        "[A-Za-z0-9_]",
    ),
    Pattern(
        "gitlab",
        "GitLab token",
        r"\b(gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w-]{20})",
        "docs.gitlab.com/security/tokens, token prefixes (2026-12-01)",
        DOTTED,
    ),
    Pattern(
        "gitlab",
        "GitLab runner registration token",
        r"\b(GR1348941[\w-]{20})",
        "docs.gitlab.com/security/tokens, token prefixes (2026-12-01)",
        WORDLIKE,
    ),
    Pattern("npm", "npm token", r"\b(npm_[A-Za-z0-9]{36})", _seen("npm-access-token"), ALNUM),
    Pattern("pypi", "PyPI token", r"\b(pypi-Ag[\w-]{50})", _seen("pypi-upload-token"), WORDLIKE),
    Pattern("rubygems", "RubyGems key", r"\b(rubygems_[0-9a-f]{48})", _seen("rubygems-api-token"), HEX),
    Pattern(
        "crates",
        "crates.io token",
        r"\b(cio[A-Za-z0-9]{32})\b",
        "docs.github.com secret scanning, crates_io_token (2026-12-01)",
    ),
    Pattern(
        "nuget", "NuGet key", r"\b(oy2[a-z0-9]{43})\b", "docs.github.com secret scanning, nuget_api_key (2026-12-01)"
    ),
    Pattern("clojars", "Clojars token", r"\b((?i:CLOJARS_)[a-z0-9]{60})", _seen("clojars-api-token"), ALNUM),
    Pattern(
        "docker",
        "Docker Hub token",
        r"\b(dckr_(?:pat|oat)_[\w-]{24})",
        "docs.docker.com/security/access-tokens (2026-12-01)",
        WORDLIKE,
    ),
    Pattern("artifactory", "Artifactory key", r"\b(AKCp[A-Za-z0-9]{60})", _seen("artifactory-api-key"), ALNUM),
    Pattern(
        "terraform",
        "Terraform Cloud token",
        r"\.(atlasv1\.[\w-]{60})",
        "github.com/gitleaks/gitleaks rules/hashicorp.go (seen 2026-12-01)",
        WORDLIKE,
    ),
    Pattern("vault", "HashiCorp Vault token", r"\b(hv[bsr]\.[\w-]{24})", _seen("vault-service-token"), WORDLIKE),
    Pattern("pulumi", "Pulumi token", r"\b(pul-[0-9a-f]{40})", _seen("pulumi-api-token"), HEX),
    Pattern("databricks", "Databricks token", r"\b(dapi[0-9a-f]{32})", _seen("databricks-api-token"), "[0-9a-f-]"),
    Pattern(
        "doppler",
        "Doppler token",
        r"\b(dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40})",
        _seen("doppler-api-token"),
        DOTTED,
    ),
    Pattern(
        "planetscale",
        "PlanetScale password or token",
        r"\b(pscale_(?:tkn|oauth|pw)_[\w=.-]{32})",
        _seen("planetscale-api-token"),
        "[A-Za-z0-9_=.-]",
    ),
    Pattern(
        "buildkite",
        "Buildkite token",
        r"\b(bk(?:ua|aj|t)_[A-Za-z0-9]{32})",
        "buildkite.com/docs, token prefixes (2026-12-01)",
        ALNUM,
    ),
    Pattern(
        "circleci",
        "CircleCI token",
        r"\b(CCI(?:PAT|PRJ)_[A-Za-z0-9]{16,30}_[0-9a-f]{20})",
        "circleci.com/docs/managing-api-tokens (2026-12-01)",
        HEX,
    ),
    Pattern(
        "sourcegraph",
        "Sourcegraph token",
        r"\b(sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40})",
        _seen("sourcegraph-access-token"),
        "[0-9a-fA-F]",
    ),
    Pattern("openshift", "OpenShift token", r"\b(sha256~[\w-]{43})", _seen("openshift-user-token"), WORDLIKE),
    Pattern(
        "sentry", "Sentry token", r"\b(sntr(?:ys|yu)_[A-Za-z0-9+/=_]{40})", _seen("sentry-org-token"), "[A-Za-z0-9+/=_]"
    ),
    Pattern(
        "postman", "Postman key", r"\b(PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34})", _seen("postman-api-token"), "[0-9a-fA-F]"
    ),
    Pattern(
        "grafana",
        "Grafana token",
        r"\b(gl(?:c|sa)_[A-Za-z0-9+/_]{32})",
        "github.com/gitleaks/gitleaks rules/grafana.go (seen 2026-12-01)",
        "[A-Za-z0-9+/=_]",
    ),
    Pattern(
        "newrelic",
        "New Relic key",
        r"\b(NR(?:AK|II|JS|AL)-[A-Za-z0-9-]{19})",
        _seen("new-relic-user-api-key"),
        "[A-Za-z0-9-]",
    ),
    Pattern(
        "dynatrace",
        "Dynatrace token",
        r"\b(dt0[a-z][0-9]{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{60})",
        _seen("dynatrace-api-token"),
        ALNUM,
    ),
    Pattern("readme", "ReadMe key", r"\b(rdme_[a-z0-9]{70})", _seen("readme-api-token"), ALNUM),
    Pattern("prefect", "Prefect key", r"\b(pn[bu]_[A-Za-z0-9]{36})", _seen("prefect-api-token"), ALNUM),
)

TALK: tuple[Pattern, ...] = (
    Pattern("slack", "Slack token", r"\b(xox[abceoprs]-[A-Za-z0-9-]{10})", _seen("slack-bot-token"), "[A-Za-z0-9-]"),
    Pattern(
        "slack",
        "Slack configuration token",
        r"\b(xoxe\.xox[bp]-[0-9]-[A-Za-z0-9]{20})",
        _seen("slack-config-access-token"),
        "[A-Za-z0-9-]",
    ),
    Pattern(
        "slack",
        "Slack app token",
        r"\b(xapp-[0-9]-[A-Za-z0-9]{6,14}-[0-9]{6,16}-[A-Za-z0-9]{16})",
        _seen("slack-app-token"),
        ALNUM,
    ),
    Pattern(
        "slack",
        "Slack webhook",
        r"\bhooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{16})",
        _seen("slack-webhook-url"),
        "[A-Za-z0-9_/+-]",
    ),
    Pattern(
        "discord",
        "Discord webhook",
        r"\bdiscord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/([0-9]{15,22}/[\w-]{20})",
        "docs.discord.com/developers/resources/webhook (2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "discord",
        "Discord bot token",
        r"\b([MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27})",
        "docs.discord.com/developers/reference, authentication (2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "teams",
        "Microsoft Teams webhook",
        r"\.webhook\.office\.com/webhookb2/([0-9a-f@-]{40})",
        _seen("microsoft-teams-webhook"),
        "[A-Za-z0-9@/-]",
    ),
    Pattern("telegram", "Telegram bot token", r"\b([0-9]{6,12}:A[\w-]{34})", _TELEGRAM, WORDLIKE),
    Pattern("telegram", "Telegram bot token in an address", r"\bbot([0-9]{6,12}:A[\w-]{34})", _TELEGRAM, WORDLIKE),
    Pattern("twilio", "Twilio key", r"\b(SK[0-9a-f]{32})\b", _seen("twilio-api-key")),
    Pattern("sendgrid", "SendGrid key", r"\b(SG\.[\w-]{16,32}\.[\w-]{32})", _seen("sendgrid-api-token"), WORDLIKE),
    Pattern("mailgun", "Mailgun key", r"\b(key-[0-9a-f]{32})\b", _seen("mailgun-private-api-token")),
    Pattern("mailchimp", "Mailchimp key", r"\b([0-9a-f]{32}-us[0-9]{1,2})\b", _seen("mailchimp-api-key")),
    Pattern(
        "sendinblue", "Brevo key", r"\b(x(?:key|smtp)sib-[0-9a-f]{64})", _seen("sendinblue-api-token"), "[A-Za-z0-9-]"
    ),
    Pattern(
        "atlassian",
        "Atlassian token",
        r"\b(AT(?:ATT|BB|CTT)3[\w=-]{60})",
        _seen("atlassian-api-token"),
        "[A-Za-z0-9_=-]",
    ),
    Pattern(
        "linear",
        "Linear key",
        r"\b(lin_(?:api|oauth)_[A-Za-z0-9]{40})",
        "github.com/gitleaks/gitleaks rules/linear.go (seen 2026-12-01)",
        ALNUM,
    ),
    Pattern("notion", "Notion token", r"\b(ntn_[0-9]{11}[A-Za-z0-9]{32})", _seen("notion-api-token"), ALNUM),
    Pattern(
        "figma",
        "Figma token",
        r"\b(fig[dou]_[\w-]{36})",
        "docs.github.com secret scanning, figma_pat (2026-12-01)",
        WORDLIKE,
    ),
    Pattern(
        "onepassword",
        "1Password service account",
        r"\b(ops_eyJ[A-Za-z0-9+/]{200})",
        _seen("1password-service-account-token"),
        BASE64,
    ),
    Pattern(
        "onepassword",
        "1Password secret key",
        r"\b(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3})\b",
        _seen("1password-secret-key"),
    ),
    Pattern("facebook", "Facebook token", r"\b(EAA[A-Z][A-Za-z0-9]{100})", _seen("facebook-page-access-token"), ALNUM),
    Pattern("twitter", "X app token", r"\b(A{22}[A-Za-z0-9%]{80})", _seen("twitter-bearer-token"), "[A-Za-z0-9%]"),
)

MONEY: tuple[Pattern, ...] = (
    Pattern(
        "stripe", "Stripe key", r"\b((?:sk|rk)_(?:test|live|prod)_[A-Za-z0-9]{10})", _seen("stripe-access-token"), ALNUM
    ),
    Pattern(
        "stripe",
        "Stripe webhook secret",
        r"\b(whsec_[A-Za-z0-9+/]{24})",
        "docs.stripe.com/webhooks/signature (2026-12-01)",
        BASE64,
    ),
    Pattern(
        "shopify",
        "Shopify token",
        r"\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})",
        _seen("shopify-access-token"),
        "[0-9a-fA-F]",
    ),
    Pattern(
        "square", "Square token", r"\b((?:EAAA[\w-]{60}|sq0[a-z]{3}-[\w-]{22}))", _seen("square-access-token"), WORDLIKE
    ),
    Pattern("easypost", "EasyPost key", r"\b(EZ[AT]K[A-Za-z0-9]{54})", _seen("easypost-api-token"), ALNUM),
    Pattern(
        "duffel", "Duffel token", r"\b(duffel_(?:test|live)_[\w=-]{43})", _seen("duffel-api-token"), "[A-Za-z0-9_=-]"
    ),
)

TABLE: tuple[Pattern, ...] = OWN + MODELS + CLOUDS + CODE + TALK + MONEY
