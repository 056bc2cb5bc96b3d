import { upstreamOrders } from '@turnpike/gateway'
import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { auto } from './schema-auto.ts'
import { breaker } from './schema-breaker.ts'
import { byok } from './schema-byok.ts'
import { overload } from './schema-overload.ts'
import { identity, mcp } from './schema-identity.ts'
import { payments } from './schema-payments.ts'
import { mail, webhooks } from './schema-notify.ts'
import { promptLog } from './schema-prompt-log.ts'
import { responses } from './schema-responses.ts'
import { modelsSchema, providersSchema, rateLimits, timeouts } from './schema-models.ts'
import { telemetry } from './schema-telemetry.ts'
import {
  closed,
  identifier,
  modelIdentifier,
  secondsUpTo,
  secret,
  url,
  usd,
  wholeNumber,
} from './schema-values.ts'

const server = closed('Where the gateway listens, and what it takes in.', {
  host: Type.Optional(
    Type.String({
      minLength: 1,
      default: defaults.server.host,
      description: 'Address to listen at. One that is not loopback needs `admin.internal_secret`.',
    }),
  ),
  port: Type.Optional(
    wholeNumber(0, 65_535, {
      default: defaults.server.port,
      description: 'Port to listen at; 0 takes a free one.',
    }),
  ),
  public_url: Type.Optional(
    url(['http', 'https'], {
      description:
        'Where callers reach the gateway. Default: `http://<host>:<port>`. The built-in `sandbox` ' +
        'provider is there by default only while this is loopback.',
    }),
  ),
  allowed_hosts: Type.Optional(
    Type.Array(Type.String({ format: 'host' }), {
      default: [],
      description:
        'Hosts that requests may name besides that of `public_url` and, with the port, the loopback ' +
        'addresses: `gateway.internal` is allowed at any port, `gateway.internal:8787` at that one. Any ' +
        'other is 421. Where `public_url` is not loopback, `/healthz`, `/readyz` and `/metrics` may be ' +
        'asked by any IP address as well, since balancers and clusters know no names.',
    }),
  ),
  trusted_proxies: Type.Optional(
    Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description:
        'Addresses, or ranges of them, of the proxies before the gateway, whose `X-Forwarded-For` is ' +
        'believed. Sign-in attempts are counted by the address that is found so.',
    }),
  ),
  max_body_bytes: Type.Optional(
    wholeNumber(1024, 1_073_741_824, {
      default: defaults.server.max_body_bytes,
      description: 'The largest request body; beyond it 413.',
    }),
  ),
  max_header_bytes: Type.Optional(
    wholeNumber(4096, 1_048_576, {
      default: defaults.server.max_header_bytes,
      description: 'The largest request head; beyond it 431.',
    }),
  ),
  body_seconds: Type.Optional(
    secondsUpTo(3600, {
      default: defaults.server.body_seconds,
      description:
        'How long a request body may take, beside a second for every 64 kB of it that have come; also the ' +
        'longest silence within it.',
    }),
  ),
  drain_seconds: Type.Optional(
    secondsUpTo(3600, {
      default: defaults.server.drain_seconds,
      description: 'How long open requests may go on once the gateway is told to stop.',
    }),
  ),
  drain_delay_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 3600,
      description:
        'How long requests are still taken once it is told to stop, while `/readyz` says 503, so that load ' +
        'balancers notice first. Default: 5, and 0 where `host` is loopback.',
    }),
  ),
  workers: Type.Optional(
    wholeNumber(1, 256, {
      default: defaults.server.workers,
      description:
        'Processes that serve together, each a node of its own; more than one needs `database.url`. ' +
        '`--workers` of the command line goes before it.',
    }),
  ),
})

const cors = closed('Which web pages may call `/v1/*` from the browser. None may call anything else.', {
  allowed_origins: Type.Optional(
    Type.Array(Type.String({ format: 'origin' }), {
      default: [...defaults.cors.allowed_origins],
      description:
        'Origins such as `https://app.example.com`, exactly as browsers write them; `*` alone: every page ' +
        'that has an API key. An empty list: none.',
    }),
  ),
})

const dashboard = closed('What the dashboard shows.', {
  public_models: Type.Optional(
    Type.Boolean({
      default: defaults.dashboard.public_models,
      description:
        'Whether everybody who reaches the gateway sees its models, prices and providers, signed in or ' +
        'not: at `/models`, and at `GET /api/v1/public/models`.',
    }),
  ),
})

const billing = closed('What callers pay, and how safely it is kept.', {
  markup: Type.Optional(
    Type.String({
      format: 'factor',
      default: defaults.billing.markup,
      description: 'The operator\'s factor on every price, as a decimal string: "1.2" adds 20 percent.',
    }),
  ),
  topup: Type.Optional(
    closed('Bounds of one top-up.', {
      min_usd: Type.Optional(
        usd({ default: defaults.billing.topup.min_usd, description: 'The smallest top-up.' }),
      ),
      max_usd: Type.Optional(
        usd({ default: defaults.billing.topup.max_usd, description: 'The largest top-up.' }),
      ),
    }),
  ),
  lease_seconds: Type.Optional(
    wholeNumber(5, 86_400, {
      default: defaults.billing.lease_seconds,
      description:
        'How long a node may hold credit of a key for requests to come without renewing its lease.',
    }),
  ),
  read_on_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 600,
      default: defaults.billing.read_on_seconds,
      description:
        'How long the answer of a model that reasons unseen is read on for its usage once the caller has ' +
        'left; then, and with 0 at once, its reasoning is charged by an estimate.',
    }),
  ),
  verify_hours: Type.Optional(
    wholeNumber(0, 8_760, {
      default: defaults.billing.verify_hours,
      description:
        'How often one of the nodes verifies the ledger by itself, slowly, beside what it serves; it tells ' +
        'operators of differences (`ledger.difference`). 0: never.',
    }),
  ),
  durability: Type.Optional(
    Type.Enum(['process', 'power'], {
      default: defaults.billing.durability,
      description:
        '`process`: no charge is lost when the process is killed. `power`: nor when the machine loses power.',
    }),
  ),
})

const prices = closed('Where prices come from, besides `models`. Absent: as packaged.', {
  file: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A file of newer prices in the format of genai-prices. Default: `prices.json` in `data_dir`, ' +
        'where it is there.',
    }),
  ),
  url: Type.Optional(
    url(['http', 'https'], {
      description: 'An address from which that file is renewed at each refresh. Absent: it never is.',
    }),
  ),
  refresh_hours: Type.Optional(
    wholeNumber(1, 8_760, {
      default: defaults.prices.refresh_hours,
      description: 'How often, where there is an address.',
    }),
  ),
})

const usage = closed('What is kept of requests.', {
  retention_days: Type.Optional(
    wholeNumber(1, 36_500, {
      default: defaults.usage.retention_days,
      description:
        'How many whole days back single requests are kept, to be listed and exported. Figures by day and ' +
        'the ledger are kept for ever.',
    }),
  ),
})

const limits = closed('How much callers may ask.', {
  burst_per_key_per_second: Type.Optional(
    wholeNumber(1, 1_000_000, {
      default: defaults.limits.burst_per_key_per_second,
      description: 'Requests a second of one key; also the size of its burst.',
    }),
  ),
  burst_body_bytes: Type.Optional(
    wholeNumber(1024, 1_073_741_824, {
      default: defaults.limits.burst_body_bytes,
      description:
        'So many bytes of a body weigh as much in the burst as a request: after a large one, the key waits.',
    }),
  ),
  tiers: Type.Optional(
    Type.Record(
      identifier,
      closed('Limits of the accounts of a tier.', {
        ...rateLimits,
        lifetime_topup_usd: Type.Optional(
          usd({
            description:
              'An account rises to this tier once its top-ups amount to this. Absent: only operators ' +
              'give it.',
          }),
        ),
        models: Type.Optional(
          Type.Record(modelIdentifier, closed('Limits of one model in this tier.', rateLimits), {
            additionalProperties: false,
            description: 'By model identifier: limits in place of the ones of the tier.',
          }),
        ),
      }),
      {
        additionalProperties: false,
        description:
          'By tier: limits per account; what is not said is without limit. `free` must be among them: ' +
          'accounts begin in it. Default: `free`, `build` (from 100 USD of top-ups) and `scale` (from ' +
          '1,000), with limits that no single user meets (docs/limits.md).',
      },
    ),
  ),
})

const routing = closed('Whom requests are sent to.', {
  order: Type.Optional(
    Type.Enum([...upstreamOrders], {
      default: defaults.routing.order,
      description:
        'In which order the upstreams of a model are asked: as listed or, where they have a `weight`, ' +
        'drawn by it; the cheapest first; or the one that begins its answers soonest, until another one is ' +
        'a fifth faster.',
    }),
  ),
  breaker: Type.Optional(breaker),
  auto: Type.Optional(auto),
})

const admin = closed('Who may administer the gateway.', {
  internal_secret: Type.Optional(
    secret({
      minLength: 16,
      description:
        'Value of the header `X-Internal-Secret` of the admin endpoints. On a loopback address one ' +
        'is made in `data_dir` where it is absent.',
    }),
  ),
  operators: Type.Optional(
    Type.Array(Type.String({ format: 'email' }), {
      default: [],
      description:
        'Addresses of the users who may call the admin endpoints with their own tokens, where the identity ' +
        'provider vouches for the address (`email_verified`).',
    }),
  ),
})

/** The whole of `turnpike.yaml` (docs/contract.md, 9). */
export const configurationSchema = closed('Configuration of Turnpike, the LLM gateway.', {
  server: Type.Optional(server),
  cors: Type.Optional(cors),
  dashboard: Type.Optional(dashboard),
  data_dir: Type.Optional(
    Type.String({
      minLength: 1,
      default: defaults.data_dir,
      description:
        'Folder of the embedded database, the outbox and generated secrets; relative to where the ' +
        'server starts.',
    }),
  ),
  database: Type.Optional(
    closed('Where accounts, keys, credit and requests are kept. Absent: embedded SQLite in `data_dir`.', {
      url: url(['postgres', 'postgresql'], { writeOnly: true, description: 'PostgreSQL 15 or newer.' }),
    }),
  ),
  redis: Type.Optional(
    closed('Where limits are counted across nodes. Absent: each node counts for itself.', {
      url: url(['redis', 'rediss'], {
        writeOnly: true,
        description: 'Redis 6 or Valkey, or newer; user, password and database may stand in it.',
      }),
      timeout_seconds: Type.Optional(
        secondsUpTo(10, {
          default: defaults.redis.timeout_seconds,
          description:
            'How long a request waits for it. When it takes longer once, each node counts for itself ' +
            'until it answers again.',
        }),
      ),
    }),
  ),
  providers: Type.Optional(providersSchema),
  models: Type.Optional(modelsSchema),
  prices: Type.Optional(prices),
  routing: Type.Optional(routing),
  billing: Type.Optional(billing),
  byok: Type.Optional(byok),
  usage: Type.Optional(usage),
  responses: Type.Optional(responses),
  prompt_log: Type.Optional(promptLog),
  telemetry: Type.Optional(telemetry),
  limits: Type.Optional(limits),
  upstream: Type.Optional(timeouts),
  overload: Type.Optional(overload),
  identity: Type.Optional(identity),
  mcp: Type.Optional(mcp),
  payments: Type.Optional(payments),
  mail: Type.Optional(mail),
  webhooks: Type.Optional(webhooks),
  admin: Type.Optional(admin),
})

export type ConfigurationInput = Type.Static<typeof configurationSchema>
