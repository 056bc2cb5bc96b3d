import type { ProviderCredential, UpstreamHealth } from '@turnpike/gateway'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { epochSeconds, nullable } from '../validation/fields.ts'

const states = ['working', 'failing', 'resting', 'probing'] as const

const firstTokenMs = (what: string) =>
  nullable(Type.Number({ description: `${what}, in milliseconds, as a moving average. Null: none yet.` }))

const upstreamSchema = Type.Object(
  {
    object: Type.Literal('upstream'),
    provider: Type.String(),
    model: Type.String({ description: 'Its name there; dated versions are one with it.' }),
    key: nullable(
      Type.Integer({ description: "Position in the provider's `api_keys`, from 1; null: none." }),
    ),
    region: nullable(Type.String({ description: "Which of the provider's `regions`; null: it has none." })),
    state: Type.Enum([...states], {
      description:
        '`failing`: it is called, but its latest or all calls failed. `resting`: its circuit ' +
        'breaker is open, so nothing is sent to ' +
        'it. `probing`: the breaker is half-open, and a few requests test it.',
    }),
    rests_for_seconds: Type.Number({ description: 'Time until it is called again; 0: now.' }),
    reason: nullable(
      Type.String({
        description:
          'Why the breaker opened last: `rate-limited`, `overloaded`, `not-permitted`, `failing`; for its ' +
          'key, with all models: `key-refused`, `out-of-quota`.',
      }),
    ),
    resting_accounts: Type.Integer({
      description:
        'Number of accounts for which only their breaker is open, because of their own requests. Others ' +
        'may still call it, until three accounts are affected.',
    }),
    failures_in_a_row: Type.Integer(),
    answers: Type.Integer({ description: 'Since the start of the node.' }),
    failures: Type.Integer({ description: 'Since the start of the node.' }),
    last_failure: nullable(
      Type.Object({
        at: Type.Integer({ description: 'Unix epoch seconds.' }),
        result: Type.String({ description: "As in a request's attempts." }),
      }),
    ),
    first_token_ms: firstTokenMs('To the first token of a stream'),
    answer_ms: firstTokenMs('To the whole of a plain answer'),
  },
  { title: 'Upstream' },
)

const credentialSchema = Type.Object(
  {
    object: Type.Literal('credential'),
    provider: Type.String(),
    key: nullable(Type.Integer({ description: "Place among the provider's, from 1: `key` of an upstream." })),
    kind: Type.Enum(['key', 'token', 'signature']),
    source: Type.String({ description: 'Its source, such as `api_keys` or `AWS: profile prod`.' }),
    state: Type.Enum(['ready', 'minting', 'failing', 'absent'], {
      description:
        '`minting`: the first one is being requested. `failing`: it could not be renewed, and the ' +
        'previous one is still in use. `absent`: there is no credential.',
    }),
    expires_in_seconds: nullable(Type.Integer({ description: 'Null: no known expiry.' })),
    failure: nullable(Type.String({ description: 'Why it could not be renewed.' })),
    hint: nullable(Type.String({ description: 'How to fix it.' })),
  },
  { title: 'UpstreamCredential' },
)

const listSchema = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(upstreamSchema),
  credentials: Type.Array(credentialSchema, {
    description: 'The credentials of providers on this node, without secrets, whether used or not.',
  }),
})

/** What this node knows about its upstreams. Those that it has not used since its start are not included. */
export interface UpstreamService {
  all(): readonly UpstreamHealth[]
  credentials(): readonly ProviderCredential[]
}

export function registerUpstreams(
  app: ManagementApp,
  path: string,
  { upstreams }: { upstreams: UpstreamService },
): void {
  app.get(path, { schema: { response: { 200: listSchema } } }, async () => {
    const nowMs = performance.now()
    const data = upstreams.all().map((health) => upstreamRecord(health, nowMs))
    const credentials = upstreams.credentials().flatMap(credentialRecord)
    return { object: 'list' as const, data, credentials }
  })
}

function credentialRecord(credential: ProviderCredential): Static<typeof credentialSchema>[] {
  const { provider, number, kind, source, state, expiresInSeconds, failure, hint } = credential
  if (kind === 'none') return []
  return [
    {
      object: 'credential',
      provider,
      key: number,
      kind,
      source,
      state,
      expires_in_seconds: expiresInSeconds,
      failure,
      hint,
    },
  ]
}

function upstreamRecord(health: UpstreamHealth, nowMs: number): Static<typeof upstreamSchema> {
  const { ofKey, model, lastFailure, latency } = health
  return {
    object: 'upstream',
    provider: ofKey.provider,
    model,
    key: ofKey.key,
    region: health.region ?? null,
    state: stateOf(health, nowMs),
    rests_for_seconds: Math.ceil(health.waitMs(nowMs)) / 1_000,
    reason: health.restReason() ?? null,
    resting_accounts: health.restingAccounts(nowMs),
    failures_in_a_row: health.failuresInARow,
    answers: health.answers,
    failures: health.failures,
    last_failure:
      lastFailure === undefined ? null : { at: epochSeconds(lastFailure.atMs), result: lastFailure.result },
    first_token_ms: round(latency.stream.averageMs),
    answer_ms: round(latency.plain.averageMs),
  }
}

/** An upstream that is in use but has no successes, or none recently, is not reported as working. */
function stateOf(health: UpstreamHealth, nowMs: number): (typeof states)[number] {
  const state = health.state(nowMs)
  if (state === 'open') return 'resting'
  if (state === 'half-open') return 'probing'
  const isFailing = health.failuresInARow > 0 || (health.answers === 0 && health.failures > 0)
  return isFailing ? 'failing' : 'working'
}

function round(timeMs: number | undefined): number | null {
  return timeMs === undefined ? null : Math.round(timeMs)
}
