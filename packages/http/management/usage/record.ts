import { formatUsd, addMarkup } from '@turnpike/billing'
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
  key_id: Type.String({ description: 'The key of the request.' }),
  paid_by: nullable(
    Type.String({
      description: 'The key that paid, if the request’s key draws on another. Null: the same key.',
    }),
  ),
  endpoint: Type.Enum([...endpoints], { description: 'The API of the request.' }),
  operation: Type.Enum([...operations], { description: 'The operation.' }),
  stream: Type.Boolean(),
  tags: Type.Array(Type.String()),
  model_asked: nullable(Type.String({ description: 'As sent by the caller.' })),
  model_served: nullable(Type.String({ description: 'Null: none was reached.' })),
  provider: nullable(Type.String()),
  tier: nullable(Type.String({ description: 'The tier chosen by auto-routing.' })),
  attempts: Type.Array(
    Type.Object({
      provider: Type.String(),
      model: Type.String(),
      key: Type.Optional(
        Type.Integer({ description: "Position in the provider's `api_keys`, if it has several." }),
      ),
      region: Type.Optional(
        Type.String({ description: "Which of the provider's `regions`, if it has any." }),
      ),
      is_byok: Type.Optional(Type.Boolean({ description: 'The account’s own vendor key was used.' })),
      status: nullable(Type.Integer()),
      result: Type.String({
        description:
          '`ok`, or why it failed: `status-429`, `connect-timeout`, `unusable-answer`, …; or why it was ' +
          'skipped: `resting`, `unsupported`, `context-too-short`, `no-time-left`, `enough-own-keys`, ' +
          '`no-credential`.',
      }),
      duration_ms: Type.Number({
        description: 'Time to the first token, the complete response, or the failure.',
      }),
    }),
  ),
  dropped: Type.Array(Type.String(), {
    description:
      'Paths of fields that were dropped because the last vendor does not support them, as in ' +
      '`x-turnpike-dropped`: at most 20, then how many more.',
  }),
  outcome: Type.Enum([...outcomes], { description: 'The outcome; `failed` costs nothing.' }),
  status: Type.Integer({ description: 'HTTP status of the response; 499: the client disconnected.' }),
  error_type: nullable(Type.String()),
  error_param: nullable(Type.String({ description: 'Path of the field that the error named.' })),
  tokens_in: Type.Integer(),
  tokens_out: Type.Integer(),
  cost_usd: usd,
  is_byok: Type.Boolean({
    description: 'The account’s own vendor key was used last, so the vendor bills its owner.',
  }),
  own_cost_usd: nullable(
    Type.Unsafe<string>({
      ...usd,
      description:
        'What the vendor bills the owner of that key, by our list prices. Null: it was not used, or there ' +
        'is no price.',
    }),
  ),
  latency_ms: Type.Number(),
  time_to_first_token_ms: nullable(Type.Number()),
}

export const requestSchema = Type.Object(requestFields, { title: 'Request' })

const routeFields = {
  profile: Type.String({ description: '`eco`, `auto` or `premium`.' }),
  scored: Type.String({ description: 'The tier for the prompt alone.' }),
  score: Type.Number({ description: 'From 0 (easy) to 1 (hard).' }),
  probabilities: Type.Array(Type.Number(), {
    description: 'Probability of success by tier: SIMPLE, MEDIUM, COMPLEX, REASONING.',
  }),
  confident: Type.Boolean({ description: 'False: too few known words in the text; then at least MEDIUM.' }),
  because: Type.Array(Type.String(), { description: 'Other reasons for the decision.' }),
  ranking: Type.Array(Type.String(), { description: 'The models in the order in which they were tried.' }),
  // Rows from earlier versions have none of these.
  ...Type.Partial(
    Type.Object({
      delta: Type.Number({
        description: 'How much lower a tier’s probability of success may be than the best one, by profile.',
      }),
      weights: Type.Integer({ description: "Version of the scorer's weights." }),
      calibration: Type.String({ description: '`off`, `shadow` or `on`.' }),
      calibrated: nullable(
        Type.String({
          description: "The tier adjusted by the account's outcomes; null: calibration is off.",
        }),
      ),
      correction: nullable(
        Type.Array(Type.Number(), {
          description: "By tier: the adjustment of its log-odds by the account's outcomes.",
        }),
      ),
      conversation: nullable(
        Type.String({ description: 'The previous tier of the conversation; null at its start.' }),
      ),
      kept: nullable(
        Type.String({
          description:
            "Why the conversation's tier was used instead of the prompt's: `remark` (too short by itself), " +
            '`turn` (the same request is still in progress), `cache` (its cached prompt saves more).',
        }),
      ),
      escalated: nullable(
        Type.String({ description: 'Why one tier higher was chosen: `retry` or `stall`; null: neither.' }),
      ),
      wanted: Type.String({ description: 'The resulting tier.' }),
      left: Type.Record(Type.String(), Type.Integer(), {
        description: 'Why models were excluded, with the number for each reason.',
      }),
      tiers: Type.Array(Type.String(), { description: 'By position in `ranking`: the tier of the model.' }),
      expected: Type.Array(Type.String(), {
        description: 'By position in `ranking`: the expected cost, in USD.',
      }),
      resting: Type.Integer({ description: 'How many of them, at the end, had an open circuit breaker.' }),
    }),
  ).properties,
}

/** A request with everything that its charge was computed from. */
export const requestDetailSchema = Type.Object(
  {
    ...requestFields,
    has_log: Type.Boolean({
      description:
        'Whether its prompt and answer are stored (`GET …/log`). Only shown to its account: false for ' +
        'operators.',
    }),
    usage: nullable(Type.Unsafe<Record<string, unknown>>(Type.Object({}))),
    price_version: nullable(Type.String()),
    pricing: nullable(Type.Unsafe<Pricing>(Type.Object({}))),
    markup: Type.String({
      description:
        "The factor on `pricing`. Users see their own prices, which include the operator's markup.",
    }),
    hold_usd: Type.Unsafe<string>({ ...usd, description: 'Maximum amount held.' }),
    charge_usd: usd,
    vendor_cost_usd: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...usd,
          description:
            'For operators only: the vendor cost, which is the charge without markup; null: unknown, since ' +
            'it was not recorded then.',
        }),
      ),
    ),
    route: nullable(
      Type.Object(routeFields, {
        description: 'The auto-routing decision; null: the caller named the model.',
      }),
    ),
    baseline_usd: nullable(
      Type.Unsafe<string>({
        ...usd,
        description: "What it would have cost with the account's baseline model; null without auto-routing.",
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
    ...(forOperator ? priceFields(record) : userPriceFields(record)),
    hold_usd: formatUsd(record.holdPico),
    charge_usd: formatUsd(record.chargePico),
    route: record.route,
    baseline_usd: record.baselinePico === null ? null : formatUsd(record.baselinePico),
  }
}

function priceFields({ pricing, markup, vendorCostPico }: RequestRecord) {
  return { pricing, markup, vendor_cost_usd: vendorCostPico === null ? null : formatUsd(vendorCostPico) }
}

/** From these, too, the charge follows to the last digit; they do not reveal the operator's margin. */
function userPriceFields({ pricing, markup }: RequestRecord) {
  return { pricing: pricing === null ? null : addMarkup({ pricing, markup }), markup: '1' }
}

/** `cacheWrite1hTokens` is `cache_write_1h_tokens` in responses. */
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
 * A bucket that the vendor did not count is null, never 0. The vendor's own usage may contain what it charges
 * its operator, so only operators see it.
 */
function usageFields(usage: Usage, forOperator: boolean): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const bucket of usageBuckets) fields[bucketNames[bucket]] = usage[bucket] ?? null
  fields['service_tier'] = usage.serviceTier ?? null
  const raw = forOperator ? (usage.raw ?? null) : null
  return { ...fields, estimated: usage.estimated ?? false, disbelieved: usage.disbelieved ?? null, raw }
}
