import { upstreamOrders } from '@turnpike/gateway'
import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { auto } from './auto.ts'
import { breaker } from './breaker.ts'
import { byok } from './byok.ts'
import { overload } from './overload.ts'
import { identity, mcp } from './identity.ts'
import { payments } from './payments.ts'
import { mail, webhooks } from './notify.ts'
import { promptLog } from './prompt-log.ts'
import { responses } from './responses.ts'
import { modelsSchema, providersSchema, rateLimits, timeouts } from './models.ts'
import { telemetry } from './telemetry.ts'
import { closed, identifier, modelIdentifier, secondsUpTo, secret, url, usd, wholeNumber } from './values.ts'

const server = closed('Where the gateway listens and what it accepts.', {
  host: Type.Optional(
    Type.String({
      minLength: 1,
      default: defaults.server.host,
      description: 'Address to listen on. Any address other than loopback requires `admin.internal_secret`.',
    }),
  ),
  port: Type.Optional(
    wholeNumber(0, 65_535, {
      default: defaults.server.port,
      description: 'Port to listen on; 0 picks a free one.',
    }),
  ),
  public_url: Type.Optional(
    url(['http', 'https'], {
      description:
        'The URL at which callers reach the gateway. Default: `http://<host>:<port>`. The built-in ' +
        '`sandbox` provider is enabled by default only while this is loopback.',
    }),
  ),
  allowed_hosts: Type.Optional(
    Type.Array(Type.String({ format: 'host' }), {
      default: [],
      description:
        'Accepted `Host` values besides that of `public_url` and the loopback addresses with the ' +
        'port. `gateway.internal` matches any port, `gateway.internal:8787` only that one. Any ' +
        'other `Host` is 421. If `public_url` is not loopback, `/healthz`, `/readyz` and ' +
        '`/metrics` also accept any IP address.',
    }),
  ),
  trusted_proxies: Type.Optional(
    Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description:
        'Addresses or ranges of proxies in front of the gateway whose `X-Forwarded-For` is ' +
        'trusted. Sign-in attempts are counted by the resulting address.',
    }),
  ),
  max_body_bytes: Type.Optional(
    wholeNumber(1024, 1_073_741_824, {
      default: defaults.server.max_body_bytes,
      description: 'Maximum size of a request body; larger is 413.',
    }),
  ),
  max_header_bytes: Type.Optional(
    wholeNumber(4096, 1_048_576, {
      default: defaults.server.max_header_bytes,
      description: 'Maximum size of a request head; larger is 431.',
    }),
  ),
  body_seconds: Type.Optional(
    secondsUpTo(3600, {
      default: defaults.server.body_seconds,
      description:
        'Time allowed for a request body, plus one second per 64 kB received; also the longest ' +
        'pause within it.',
    }),
  ),
  drain_seconds: Type.Optional(
    secondsUpTo(3600, {
      default: defaults.server.drain_seconds,
      description: 'Time allowed for open requests to finish after the gateway is told to stop.',
    }),
  ),
  drain_delay_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 3600,
      description:
        'Time during which new requests are still served after the gateway is told to stop, while ' +
        '`/readyz` returns 503 so that load balancers notice. Default: 5, or 0 if `host` is ' +
        'loopback.',
    }),
  ),
  detach_streams: Type.Optional(
    Type.Boolean({
      default: defaults.server.detach_streams,
      description:
        "Whether the connection of a stream that lasts is taken from Node's HTTP server, which saves 15 KB " +
        'of memory for each (docs/decisions/009). `false` keeps to documented behaviour of Node.',
    }),
  ),
  workers: Type.Optional(
    wholeNumber(1, 256, {
      default: defaults.server.workers,
      description:
        'Number of processes, each a node of its own. Use one per core. `--workers` on the command ' +
        'line takes precedence.',
    }),
  ),
})

const cors = closed(
  'Which web pages may call `/v1/*` from a browser. No page of another origin may call anything else.',
  {
    allowed_origins: Type.Optional(
      Type.Array(Type.String({ format: 'origin' }), {
        default: [...defaults.cors.allowed_origins],
        description:
          'Origins such as `https://app.example.com`, exactly as browsers send them. `*` allows ' +
          'every page. An empty list allows none.',
      }),
    ),
  },
)

const dashboard = closed('Dashboard settings.', {
  public_models: Type.Optional(
    Type.Boolean({
      default: defaults.dashboard.public_models,
      description:
        'Whether visitors who are not signed in see models, prices and providers, at `/models` and ' +
        'at `GET /api/v1/public/models`.',
    }),
  ),
})

const billing = closed('What callers pay, and how safely charges are stored.', {
  markup: Type.Optional(
    Type.String({
      format: 'factor',
      default: defaults.billing.markup,
      description: 'Factor applied to every price, as a decimal string: "1.2" adds 20 percent.',
    }),
  ),
  topup: Type.Optional(
    closed('Limits of one top-up.', {
      min_usd: Type.Optional(usd({ default: defaults.billing.topup.min_usd, description: 'Minimum.' })),
      max_usd: Type.Optional(usd({ default: defaults.billing.topup.max_usd, description: 'Maximum.' })),
    }),
  ),
  lease_seconds: Type.Optional(
    wholeNumber(5, 86_400, {
      default: defaults.billing.lease_seconds,
      description: "How long a node may hold a key's credit without renewing its lease.",
    }),
  ),
  read_on_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 600,
      default: defaults.billing.read_on_seconds,
      description:
        'How long to keep reading the answer of a model that reasons unseen, for its usage, after ' +
        'the caller has left. After that (with 0: at once) its reasoning is charged by an estimate.',
    }),
  ),
  verify_hours: Type.Optional(
    wholeNumber(0, 8_760, {
      default: defaults.billing.verify_hours,
      description:
        'Interval at which one node verifies the ledger in the background and reports differences ' +
        '(`ledger.difference`). 0: never.',
    }),
  ),
  durability: Type.Optional(
    Type.Enum(['process', 'power'], {
      default: defaults.billing.durability,
      description:
        '`process`: no charge is lost if the process is killed. `power`: nor if the machine loses ' +
        'power.',
    }),
  ),
})

const prices = closed('Sources of prices besides `models`. Without it: the packaged prices.', {
  file: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A file with newer prices in the format of genai-prices. Default: `prices.json` in ' +
        '`data_dir`, if it exists.',
    }),
  ),
  url: Type.Optional(
    url(['http', 'https'], {
      description: 'A URL from which that file is downloaded at each refresh. Without it: never.',
    }),
  ),
  refresh_hours: Type.Optional(
    wholeNumber(1, 8_760, {
      default: defaults.prices.refresh_hours,
      description: 'Interval of downloads from `url`.',
    }),
  ),
})

const usage = closed('Retention of requests.', {
  retention_days: Type.Optional(
    wholeNumber(1, 36_500, {
      default: defaults.usage.retention_days,
      description:
        'Number of whole days for which single requests can be listed and exported. Daily figures ' +
        'and the ledger are kept for ever.',
    }),
  ),
})

const limits = closed('Rate limits.', {
  burst_per_key_per_second: Type.Optional(
    wholeNumber(1, 1_000_000, {
      default: defaults.limits.burst_per_key_per_second,
      description: 'Requests per second of one key; also the size of its burst.',
    }),
  ),
  burst_body_bytes: Type.Optional(
    wholeNumber(1024, 1_073_741_824, {
      default: defaults.limits.burst_body_bytes,
      description:
        'Body bytes that count as one request in the burst limit; after a large body the key waits.',
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
              'Total of top-ups from which an account is in this tier. Without it: only operators ' +
              'assign it.',
          }),
        ),
        models: Type.Optional(
          Type.Record(modelIdentifier, closed('Limits of one model in this tier.', rateLimits), {
            additionalProperties: false,
            description: "Limits by model identifier, in place of the tier's.",
          }),
        ),
      }),
      {
        additionalProperties: false,
        description:
          'Limits per account, by tier; anything not set is unlimited. Must include `free`, in ' +
          'which accounts start. Default: `free`, `build` (from 100 USD of top-ups) and `scale` ' +
          '(from 1,000), with limits that no single user reaches (docs/limits.md).',
      },
    ),
  ),
})

const routing = closed('How upstreams are chosen.', {
  order: Type.Optional(
    Type.Enum([...upstreamOrders], {
      default: defaults.routing.order,
      description:
        "Order of a model's upstreams. `listed`: as listed, or drawn by `weight`. `price`: " +
        'cheapest first. `latency`: the one with the fastest first token, until another is 20 % ' +
        'faster.',
    }),
  ),
  breaker: Type.Optional(breaker),
  auto: Type.Optional(auto),
})

const admin = closed('Access to the admin endpoints.', {
  internal_secret: Type.Optional(
    secret({
      minLength: 16,
      description:
        'Value of the header `X-Internal-Secret` for the admin endpoints. On loopback one is ' +
        'generated in `data_dir` if missing.',
    }),
  ),
  operators: Type.Optional(
    Type.Array(Type.String({ format: 'email' }), {
      default: [],
      description:
        'Email addresses of users who may call the admin endpoints with their own tokens. Only ' +
        'verified addresses count (`email_verified`).',
    }),
  ),
})

/** The schema of `turnpike.yaml` (docs/contract.md, 9). */
export const configurationSchema = closed('Configuration of Turnpike, the LLM gateway.', {
  server: Type.Optional(server),
  cors: Type.Optional(cors),
  dashboard: Type.Optional(dashboard),
  data_dir: Type.Optional(
    Type.String({
      minLength: 1,
      default: defaults.data_dir,
      description:
        'Folder for the embedded database, the outbox and generated secrets, relative to where the ' +
        'server starts.',
    }),
  ),
  database: Type.Optional(
    closed(
      'Where accounts, keys, credit and requests are stored. Without it: embedded SQLite in `data_dir`.',
      {
        url: url(['postgres', 'postgresql'], { writeOnly: true, description: 'PostgreSQL 15 or newer.' }),
      },
    ),
  ),
  redis: Type.Optional(
    closed('Where rate limits are counted across nodes. Without it each node counts for itself.', {
      url: url(['redis', 'rediss'], {
        writeOnly: true,
        description: 'Redis 6 or later, or Valkey. The URL may contain user, password and database.',
      }),
      timeout_seconds: Type.Optional(
        secondsUpTo(10, {
          default: defaults.redis.timeout_seconds,
          description:
            'How long a request waits for Redis. After one slower call, each node counts for ' +
            'itself until Redis answers again.',
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
