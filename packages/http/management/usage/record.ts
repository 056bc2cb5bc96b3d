import { formatUsd, markedUp } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import {
  endpoints,
  operationByEndpoint,
  operations,
  outcomes,
  usageBuckets,
  type Pricing,
  type Usage,
  type UsageBucket,
} from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

const requestFields = {
  id: Type.String(),
  object: Type.Literal('request'),
  created_at: timestamp,
  account_id: Type.String(),
  key_id: Type.String({ description: 'The key that asked.' }),
  paid_by: nullable(
    Type.String({ description: 'The key that paid, where the one that asked draws on it. Null: that one.' }),
  ),
  endpoint: Type.Enum([...endpoints], { description: 'The API that it came by.' }),
  operation: Type.Enum([...operations], { description: 'What was asked for.' }),
  stream: Type.Boolean(),
  tags: Type.Array(Type.String()),
  model_asked: nullable(Type.String({ description: 'As the caller wrote it.' })),
  model_served: nullable(Type.String({ description: 'Null: none was reached.' })),
  provider: nullable(Type.String()),
  tier: nullable(Type.String({ description: 'Of auto-routing.' })),
  attempts: Type.Array(
    Type.Object({
      provider: Type.String(),
      model: Type.String(),
      key: Type.Optional(
        Type.Integer({ description: "Place in the provider's `api_keys`, where it has several." }),
      ),
      region: Type.Optional(
        Type.String({ description: "Which of the provider's `regions`, where it has some." }),
      ),
      is_byok: Type.Optional(Type.Boolean({ description: 'A key of the account’s own was asked.' })),
      status: nullable(Type.Integer()),
      result: Type.String({
        description:
          '`ok`, or why it failed: `status-429`, `connect-timeout`, `unusable-answer`, …; or why it was ' +
          'not asked: `resting`, `unsupported`, `context-too-short`, `no-time-left`, `enough-own-keys`, ' +
          '`no-credential`.',
      }),
      duration_ms: Type.Number({
        description: 'To the first token, the whole plain answer, or the failure.',
      }),
    }),
  ),
  dropped: Type.Array(Type.String(), {
    description:
      'Paths of what the vendor that was asked last was not sent since it cannot honour it, as in ' +
      '`x-turnpike-dropped`: at most 20, then how many more.',
  }),
  outcome: Type.Enum([...outcomes], { description: 'How it ended; `failed` costs nothing.' }),
  status: Type.Integer({ description: 'HTTP status of the answer; 499: the client had left.' }),
  error_type: nullable(Type.String()),
  error_param: nullable(Type.String({ description: 'Path of the field that the error named.' })),
  tokens_in: Type.Integer(),
  tokens_out: Type.Integer(),
  cost_usd: usd,
  is_byok: Type.Boolean({
    description: 'A vendor key of the account’s own was asked last: the vendor bills its owner.',
  }),
  own_cost_usd: nullable(
    Type.Unsafe<string>({
      ...usd,
      description:
        'What the vendor bills the owner of that key, by our list prices. Null: it was not asked, or there ' +
        'is no price.',
    }),
  ),
  latency_ms: Type.Number(),
  time_to_first_token_ms: nullable(Type.Number()),
}

export const requestSchema = Type.Object(requestFields, { title: 'Request' })

const routeFields = {
  profile: Type.String({ description: '`eco`, `auto` or `premium`.' }),
  scored: Type.String({ description: 'The tier that the prompt alone asked for.' }),
  score: Type.Number({ description: 'From 0 (any model will do) to 1.' }),
  probabilities: Type.Array(Type.Number(), {
    description: 'How likely a model of each tier succeeds: SIMPLE, MEDIUM, COMPLEX, REASONING.',
  }),
  confident: Type.Boolean({ description: 'False: too little of the text is known; then MEDIUM at least.' }),
  because: Type.Array(Type.String(), { description: 'What besides the prompt led there.' }),
  ranking: Type.Array(Type.String(), { description: 'The models in the order in which they were asked.' }),
  // Rows of earlier versions have none of these.
  ...Type.Partial(
    Type.Object({
      delta: Type.Number({
        description: 'How much less likely to succeed than the best a tier could be, by the profile.',
      }),
      weights: Type.Integer({ description: "Version of the scorer's weights." }),
      calibration: Type.String({ description: '`off`, `shadow` or `on`.' }),
      calibrated: nullable(
        Type.String({
          description: "What it asked for by the account's outcomes; null: calibration is off.",
        }),
      ),
      correction: nullable(
        Type.Array(Type.Number(), {
          description: "By tier: what the account's outcomes added to the log-odds of its probability.",
        }),
      ),
      conversation: nullable(
        Type.String({ description: 'The tier that the conversation was at; null at its beginning.' }),
      ),
      kept: nullable(
        Type.String({
          description:
            "Why the conversation's tier took the place of the prompt's: `remark` (it says nothing alone), " +
            '`turn` (the ask is still being worked on), `cache` (its cached prompt is worth more).',
        }),
      ),
      escalated: nullable(
        Type.String({ description: 'Why one tier above that: `retry` or `stall`; null: neither.' }),
      ),
      wanted: Type.String({ description: 'The tier that came of this.' }),
      left: Type.Record(Type.String(), Type.Integer(), {
        description: 'Why models were left out, each reason with their number.',
      }),
      tiers: Type.Array(Type.String(), { description: 'By place in `ranking`: the tier as whose model.' }),
      expected: Type.Array(Type.String(), {
        description: 'By place in `ranking`: what it was expected to cost, in USD.',
      }),
      resting: Type.Integer({ description: 'How many of them, the last ones, rested.' }),
    }),
  ).properties,
}

/** A request with all that its charge was computed from. */
export const requestDetailSchema = Type.Object(
  {
    ...requestFields,
    has_log: Type.Boolean({
      description:
        'Whether its prompt and answer are kept (`GET …/log`). Told to its account alone: false for ' +
        'operators.',
    }),
    usage: nullable(Type.Unsafe<Record<string, unknown>>(Type.Object({}))),
    price_version: nullable(Type.String()),
    pricing: nullable(Type.Unsafe<Pricing>(Type.Object({}))),
    markup: Type.String({
      description:
        "The factor on `pricing`. Users are told their own prices: the operator's markup is in them.",
    }),
    hold_usd: Type.Unsafe<string>({ ...usd, description: 'What was held at the most.' }),
    charge_usd: usd,
    vendor_cost_usd: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...usd,
          description:
            'For operators only: what the vendor is owed, the charge without markup; null: unknown, since ' +
            'it was not kept then.',
        }),
      ),
    ),
    route: nullable(
      Type.Object(routeFields, { description: 'How auto-routing chose; null: the caller named the model.' }),
    ),
    baseline_usd: nullable(
      Type.Unsafe<string>({
        ...usd,
        description: "What it would have cost at the account's baseline model; null without auto-routing.",
      }),
    ),
  },
  { title: 'RequestDetail' },
)

export function requestRow(record: RequestRecord): Static<typeof requestSchema> {
  return {
    id: record.id,
    object: 'request',
    created_at: epochSeconds(record.startedAtMs),
    account_id: record.accountId,
    key_id: record.keyId,
    paid_by: record.paidBy ?? null,
    endpoint: record.endpoint,
    operation: operationByEndpoint[record.endpoint],
    stream: record.stream,
    tags: record.tags,
    model_asked: record.modelAsked,
    model_served: record.modelServed,
    provider: record.provider,
    tier: record.tier,
    attempts: record.attempts.map(({ durationMs, provider, model, key, region, isByok, status, result }) => ({
      provider,
      model,
      ...(key === undefined ? {} : { key }),
      ...(region === undefined ? {} : { region }),
      ...(isByok === true ? { is_byok: true } : {}),
      status,
      result,
      duration_ms: durationMs,
    })),
    dropped: [...record.dropped],
    outcome: record.outcome,
    status: record.status,
    error_type: record.errorType,
    error_param: record.errorParam ?? null,
    tokens_in: record.tokensIn,
    tokens_out: record.tokensOut,
    cost_usd: formatUsd(record.chargePico),
    is_byok: record.isByok === true,
    own_cost_usd: typeof record.ownCostPico === 'bigint' ? formatUsd(record.ownCostPico) : null,
    latency_ms: record.durationMs,
    time_to_first_token_ms: record.firstTokenMs,
  }
}

export function requestDetail(
  record: RequestRecord,
  { forOperator, hasLog }: { forOperator: boolean; hasLog: boolean },
): Static<typeof requestDetailSchema> {
  return {
    ...requestRow(record),
    has_log: hasLog,
    usage: record.usage === null ? null : usageFields(record.usage, forOperator),
    price_version: record.priceVersion,
    ...(forOperator ? priced(record) : pricedForUser(record)),
    hold_usd: formatUsd(record.holdPico),
    charge_usd: formatUsd(record.chargePico),
    route: record.route,
    baseline_usd: record.baselinePico === null ? null : formatUsd(record.baselinePico),
  }
}

function priced({ pricing, markup, vendorCostPico }: RequestRecord) {
  return { pricing, markup, vendor_cost_usd: vendorCostPico === null ? null : formatUsd(vendorCostPico) }
}

/** The charge follows from these as well, to the last digit, and the operator's margin does not. */
function pricedForUser({ pricing, markup }: RequestRecord) {
  return { pricing: pricing === null ? null : markedUp({ pricing, markup }), markup: '1' }
}

/** `cacheWrite1hTokens` is `cache_write_1h_tokens` on the wire. */
const bucketNames: Record<UsageBucket, string> = {
  inputTokens: 'input_tokens',
  cacheReadTokens: 'cache_read_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  cacheWrite1hTokens: 'cache_write_1h_tokens',
  inputAudioTokens: 'input_audio_tokens',
  inputImageTokens: 'input_image_tokens',
  cacheReadAudioTokens: 'cache_read_audio_tokens',
  outputTokens: 'output_tokens',
  reasoningTokens: 'reasoning_tokens',
  outputAudioTokens: 'output_audio_tokens',
  outputImageTokens: 'output_image_tokens',
  webSearches: 'web_searches',
  citationTokens: 'citation_tokens',
  searchUnits: 'search_units',
}

/**
 * A bucket that the vendor did not count is null, never 0. What the vendor said itself may hold what it
 * charges its operator, who alone is told it.
 */
function usageFields(usage: Usage, forOperator: boolean): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const bucket of usageBuckets) fields[bucketNames[bucket]] = usage[bucket] ?? null
  fields['service_tier'] = usage.serviceTier ?? null
  const raw = forOperator ? (usage.raw ?? null) : null
  return { ...fields, estimated: usage.estimated ?? false, disbelieved: usage.disbelieved ?? null, raw }
}
