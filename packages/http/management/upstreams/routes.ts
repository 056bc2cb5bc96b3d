import type { ProviderCredential, UpstreamHealth } from '@turnpike/gateway'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { epochSeconds, nullable } from '../validation/fields.ts'

const states = ['working', 'failing', 'resting', 'probing'] as const

const firstTokenMs = (what: string) =>
  nullable(Type.Number({ description: `${what}, in milliseconds, as a moving average. Null: none came.` }))

const upstreamSchema = Type.Object(
  {
    object: Type.Literal('upstream'),
    provider: Type.String(),
    model: Type.String({ description: 'Its name there; dated versions are one with it.' }),
    key: nullable(Type.Integer({ description: "Place in the provider's `api_keys`, from 1; null: none." })),
    region: nullable(Type.String({ description: "Which of the provider's `regions`; null: it has none." })),
    state: Type.Enum([...states], {
      description:
        '`failing`: it is asked, and what it was asked last, or all, failed. `resting`: nothing is sent to ' +
        'it. `probing`: its rest is over, and a few requests try it.',
    }),
    rests_for_seconds: Type.Number({ description: 'How long until it is asked again; 0: now.' }),
    reason: nullable(
      Type.String({
        description:
          'Why it rests or rested last: `rate-limited`, `overloaded`, `not-permitted`, `failing`; of its ' +
          'key, with all models: `key-refused`, `out-of-quota`.',
      }),
    ),
    resting_accounts: Type.Integer({
      description:
        'For how many accounts alone it rests: those whose requests gave cause. The others may ask it, ' +
        'until three have found the same.',
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
    source: Type.String({ description: 'Where it comes from, as in `api_keys` or `AWS: profile prod`.' }),
    state: Type.Enum(['ready', 'minting', 'failing', 'absent'], {
      description:
        '`minting`: the first one is on its way. `failing`: a new one could not be had, and the one before ' +
        'it is still in use. `absent`: there is nothing to call with.',
    }),
    expires_in_seconds: nullable(Type.Integer({ description: 'Null: it has no end that is known.' })),
    failure: nullable(Type.String({ description: 'Why a new one could not be had.' })),
    hint: nullable(Type.String({ description: 'What helps against that.' })),
  },
  { title: 'UpstreamCredential' },
)

const listSchema = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(upstreamSchema),
  credentials: Type.Array(credentialSchema, {
    description: 'What providers are called with on this node, whether they were asked or not. No secret.',
  }),
})

/** What this node knows of its upstreams; those that nobody has asked since its start are not among them. */
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
    first_token_ms: rounded(latency.stream.averageMs),
    answer_ms: rounded(latency.plain.averageMs),
  }
}

/** What is asked still is not said to work where nothing, or nothing of late, came of it. */
function stateOf(health: UpstreamHealth, nowMs: number): (typeof states)[number] {
  const state = health.state(nowMs)
  if (state === 'resting') return 'resting'
  if (state === 'half-open') return 'probing'
  const isFailing = health.failuresInARow > 0 || (health.answers === 0 && health.failures > 0)
  return isFailing ? 'failing' : 'working'
}

function rounded(timeMs: number | undefined): number | null {
  return timeMs === undefined ? null : Math.round(timeMs)
}
