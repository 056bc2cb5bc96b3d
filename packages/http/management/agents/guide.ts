/**
 * How an agent uses the gateway, short and exact (https://llmstxt.org). `docs/agents.md` tells the same at
 * length; a test holds each path that either names to the routes, and each command to the command line.
 */
export const guide = `# Turnpike

> An LLM gateway. One API key reaches every vendor's models at \`/v1\` (OpenAI's format); \`/api/v1\` manages keys, credit
> and usage. Amounts are decimal strings in USD. Every path below is relative to this server.

Two rules:

- Never pay a checkout URL yourself. Hand it to your human, and wait.
- \`raw\`, the API key, is shown once. Save it before you do anything else.

## Sign in (RFC 8628)

1. \`GET /api/v1/auth/discovery\` → \`client_id\`, \`device_authorization_endpoint\`, \`token_endpoint\`, \`scopes\`, \`resource\`.
2. POST to \`device_authorization_endpoint\`, as a form: \`client_id\`, \`scope\` (the scopes, with spaces between), \`resource\`.
3. Show your human \`verification_uri_complete\` and \`user_code\`.
4. Every \`interval\` seconds, POST to \`token_endpoint\`, as a form: \`grant_type=urn:ietf:params:oauth:grant-type:device_code\`,
   \`device_code\`, \`client_id\`, \`resource\`. \`authorization_pending\`: go on. \`slow_down\`: wait 5 seconds longer each time.
   \`access_denied\`, \`expired_token\`: ask your human whether to begin again.
5. Send \`Authorization: Bearer <access_token>\` to \`/api/v1/*\`. On 401 get a new one: \`grant_type=refresh_token\`.

With the command line: \`turnpike login\`.

## Make a key

\`POST /api/v1/me/keys\` with \`{"name": "my agent"}\` and an \`Idempotency-Key\` header of your own → 201 with \`raw\`.
Save \`raw\` where only you can read it. With the command line, which saves it: \`turnpike keys create --name "my agent" --json\`.

Call models with it: base URL \`/v1\`, \`Authorization: Bearer <raw>\`. \`GET /v1/models\` lists them with prices. \`turnpike env\`
prints \`OPENAI_API_KEY\` and \`OPENAI_BASE_URL\`.

## Credit

- \`GET /api/v1/balance\` → \`{"balance_usd", "currency", "unassigned_usd"}\`. \`turnpike balance --json\`.
- \`POST /api/v1/topup\` with \`{"amount_usd": "10"}\` → \`checkout_url\`, \`session_id\`. Give \`checkout_url\` to your human.
  \`turnpike topup --amount 10 --json\`.
- \`GET /api/v1/topup/{session_id}\` every 5 seconds or slower until \`status\` is no longer \`open\`: \`paid\`, \`expired\`, \`refunded\`.
- \`GET /api/v1/usage?days=7\` → what was spent. \`turnpike usage --days 7 --json\`.

## Errors

Every error is \`{"error": {"message", "type", "code", "param", "request_id"}}\`.

- 400: \`param\` names the field. Mend it; the same request again fails again.
- 401: the key or token is missing, wrong, revoked or expired. Do not retry.
- 402 \`insufficient_quota\`: the credit does not cover the request. Do not retry. Open a top-up, hand over its
  \`checkout_url\`, and go on once it is \`paid\`; or ask for less (\`max_completion_tokens\`, a cheaper model).
- 429 \`rate_limit_error\`: wait as many seconds as \`Retry-After\` says, then try again.
- 503 \`service_unavailable\`: the same.
- 500, 502, 504: try again after a second, then two, then four; after that tell your human the \`request_id\`.
- A stream whose last chunk has \`finish_reason: "error"\`, or that ends without \`data: [DONE]\`, broke off: do not take it as whole.

## More

- [API reference](/docs): to read
- [OpenAPI 3.1](/openapi.json): both surfaces, with every error
`
