import type { OperationTag } from './operation.ts'
import type { OpenapiDocument, Parameter } from './document-types.ts'
import { messagesErrorResponses } from './compatible/messages.ts'
import { generateErrorResponses } from './compatible/generate-content.ts'
import { responsesErrorResponses } from './compatible/responses.ts'
import { answerHeaders, errorResponses } from './errors.ts'
import { oauthErrorResponses } from './oauth-errors.ts'

const tags: Record<OperationTag, string> = {
  Chat:
    'Model calls, in the format of OpenAI’s API. Clients change their base URL to `/v1` and send a key ' +
    'of this gateway.',
  Gemini: 'Model calls, in the format of Google’s API of Gemini, to the same models.',
  Messages: 'Model calls, in the format of Anthropic’s API, to the same models.',
  Responses: 'Model calls, in the format of OpenAI’s Responses, to the same models.',
  Completions: 'Text completion, in the format of OpenAI’s older API.',
  Embeddings: 'Embeddings, in the format of OpenAI’s API.',
  Rankings: 'Ranking documents by a query, in the format of Cohere’s and Jina’s API.',
  Moderations: 'Classifying harmful content, in the format of OpenAI’s API.',
  Models: 'Available models and their prices.',
  Account: 'Your account and balance.',
  Organizations: 'Accounts shared by several people: members, roles, invitations and projects.',
  Keys: 'API keys, their limits and their credit.',
  Budgets: 'Spending limits per day, week, month or in total.',
  'Vendor keys': 'An account’s own vendor keys, which are used first for its requests (docs/own-keys.md).',
  Devices: 'Programs such as Claude Code that sign in with a code and use a key of the person who approves.',
  'Top-up': 'Credit, bought at a hosted checkout page.',
  Usage: 'Usage and cost.',
  'Prompt log': 'Stored prompts and answers, opt-in, redacted, encrypted and with limited retention.',
  Ledger: 'All credit transactions.',
  Events: 'Notifications by webhook and email (docs/webhooks.md).',
  Operator: 'For storefronts and operators, with the internal secret or an operator’s user token.',
  Service: 'Health and documentation.',
}

const parameters: Record<string, Parameter> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text, such as a UUID. For 24 hours, the same request with the same key gets ' +
      'the same response as the first one, and nothing is done twice.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  Organization: {
    name: 'X-Turnpike-Org',
    in: 'header',
    description:
      'The `id` of an organization that you belong to. The request acts for it, if your role allows ' +
      'it (403 otherwise). Default: your own account.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response. If nothing has changed, the response is 304.',
    schema: { type: 'string' },
  },
}

const securitySchemes = {
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of the identity provider that `/api/v1/auth/discovery` names, by the device ' +
      'authorization grant (RFC 8628) or the authorization code grant with PKCE, for its `resource`.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk-turnpike-…',
    description: 'An API key, as `POST /api/v1/me/keys` makes it. For `/v1/*` only.',
  },
  googleKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-goog-api-key',
    description: 'An API key, as Google’s clients send it. `?key=` also works at their paths.',
  },
  anthropicKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same API key, as clients of Anthropic’s API send it.',
  },
  internalSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-Secret',
    description: 'The operator’s secret. If none is configured, these paths are 404.',
  },
}

const description = `
A gateway to language models: one key and one format for every vendor, metered to the pico-dollar.

- \`/v1/*\` is a drop-in replacement for OpenAI's API, \`/v1/messages\` for Anthropic's, \`/v1beta/*\`
  for Google's and \`/v1/rerank\` for Cohere's. They take an **API key**.
- \`/api/v1/*\` manages accounts, keys, credit and usage. It takes a **user token**.
- \`/api/v1/admin/*\` is for operators. It takes the **internal secret**, or the user token of an
  operator. For all other users there is nothing (404).

**Money** is a decimal string in USD, exact to 12 decimals, as in \`"0.00004175"\`. In
requests it may be a JSON number.

**Times** are Unix epoch seconds. **Identifiers** have a prefix (\`acct_\`, \`key_\`, \`req_\`, \`top_\`,
\`led_\`) and order by time.

**Organizations**: with the header \`X-Turnpike-Org\` a request of yours is for an organization that you
belong to. An organization that you do not belong to is 404, like one that never was.

**Lists** come in pages: send \`next_cursor\` as \`cursor\` for the next one. A cursor
holds for its own list only.

**Errors** all have one envelope. \`type\` says what went wrong, \`param\` which field. Every answer
carries \`x-request-id\`.
HEAD is answered wherever GET is. A wrong method is 405 with \`Allow\`.
On 429 and 503, wait for \`Retry-After\` seconds.

**Web pages** of other origins may call \`/v1/*\` and read every header of the answers, unless the operator
allows some origins alone. No other path takes part in CORS.

**Retries**: a POST with an \`Idempotency-Key\` is done once, however often it is sent within 24 hours.
`.trim()

/** The document without the parts that depend on the routes. */
export function documentHead(version: string): Omit<OpenapiDocument, 'paths'> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnpike',
      version,
      summary: 'One API key for every vendor’s language models.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    components: {
      schemas: {},
      responses: {
        ...errorResponses(),
        ...messagesErrorResponses(),
        ...responsesErrorResponses(),
        ...generateErrorResponses(),
        ...oauthErrorResponses(),
      },
      parameters,
      headers: answerHeaders,
      securitySchemes,
    },
  }
}
