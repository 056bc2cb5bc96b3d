import { openaiChatCaller } from '@turnpike/dialects'
import { formatUsd } from '@turnpike/billing'
import {
  calibrationModes,
  profileOf,
  type AutoRequest,
  type AutoRoute,
  type Calibrated,
} from '@turnpike/gateway'
import { invalidRequest } from '@turnpike/protocol'
import { tiers } from '@turnpike/routing'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { AccountScope } from '../access/scope.ts'
import { nullable, usd } from '../validation/fields.ts'

/** What auto-routing would do; calls no model and stores nothing. */
export interface RoutingService {
  /** @throws {GatewayError} 400 if no model can handle the request, 503 if there is no candidate */
  route(asked: AutoRequest): AutoRoute
  /** @throws {GatewayError} 400 that names `param` if the model does not exist or has no price */
  requireModel(name: string, param: string): string
}

const tierName = Type.Enum([...tiers])
const probability = Type.Number({ minimum: 0, maximum: 1 })

const explanationSchema = Type.Object(
  {
    object: Type.Literal('route'),
    model: Type.String({ description: 'The model that would be called first.' }),
    tier: tierName,
    profile: Type.String({ description: '`eco`, `auto` or `premium`.' }),
    scored_tier: Type.Enum([...tiers], { description: 'The tier for the prompt alone.' }),
    calibration: Type.Enum([...calibrationModes], {
      description:
        "Whether the account's outcomes are used (`on`), only recorded (`shadow`), or neither (`off`).",
    }),
    calibrated_tier: nullable(
      Type.Enum([...tiers], {
        description:
          "The tier for the prompt, adjusted by the account's outcomes; null if calibration is off.",
      }),
    ),
    correction: nullable(
      Type.Object(Object.fromEntries(tiers.map((tier) => [tier, Type.Number()])), {
        description: "By tier: the adjustment of its log-odds by the account's outcomes.",
      }),
    ),
    score: Type.Number({
      description: 'From 0 (any model can answer) to 1 (needs the strongest).',
    }),
    probabilities: Type.Object(Object.fromEntries(tiers.map((tier) => [tier, probability])), {
      description: 'Probability of success for each tier.',
    }),
    confident: Type.Boolean({ description: 'False: too few known words in the text; then at least MEDIUM.' }),
    known: Type.Number({ description: 'Share of the words that the scorer knows.' }),
    reasons: Type.Array(Type.Object({ reason: Type.String(), weight: Type.Number() }), {
      description: 'Strongest first; a positive weight favours a stronger model.',
    }),
    because: Type.Array(Type.String(), { description: 'Other reasons for the decision.' }),
    filters: Type.Array(Type.Object({ model: Type.String(), reason: Type.String() }), {
      description: 'Models that cannot handle the request, and why.',
    }),
    candidates: Type.Array(
      Type.Object({
        model: Type.String(),
        tier: tierName,
        expected_cost_usd: Type.Unsafe<string>({ ...usd, description: 'For an answer of typical length.' }),
        healthy: Type.Boolean({ description: 'False: the circuit breakers of all its upstreams are open.' }),
      }),
      { description: 'In the order in which they would be tried.' },
    ),
    runner_up: nullable(Type.String({ description: 'The model that would be tried next.' })),
  },
  { title: 'Route' },
)

const bodySchema = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      messages: Type.Array(Type.Object({}, { additionalProperties: true })),
      model: Type.Optional(Type.String()),
    },
    {
      additionalProperties: true,
      description:
        'A body of POST /v1/chat/completions. `model` defaults to `turnpike/auto`, or can be another ' +
        'auto-routing profile.',
    },
  ),
)

/** The model that auto-routing would choose for a request, and why (docs/contract.md, 6.5). */
export function registerRoute(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  { routing, clock }: { routing: RoutingService; clock: () => number },
): void {
  const schema = { body: bodySchema, response: { 200: explanationSchema } }
  app.post(path, { schema }, async (request) => {
    const { id } = await scope.account(request)
    const call = openaiChatCaller.parse({ model: 'turnpike/auto', ...request.body })
    const profile = profileOf(call.request.model)
    if (profile === undefined)
      throw invalidRequest(
        'model',
        'model: expected turnpike/auto, turnpike/auto-eco or turnpike/auto-premium.',
      )
    const route = routing.route({
      profile,
      request: call.request,
      format: openaiChatCaller.name,
      bodyBytes: Buffer.byteLength(JSON.stringify(request.body)),
      accountId: id,
      keyId: id,
      mayUse: () => true,
      retryOf: call.retryOf,
      nowMs: clock(),
    })
    return explanation(route)
  })
}

function explanation({
  profile,
  score,
  scored,
  calibrated,
  decision,
}: AutoRoute): Static<typeof explanationSchema> {
  const [chosen, next] = decision.ranking
  return {
    object: 'route',
    model: chosen!.model,
    tier: decision.tier,
    profile,
    scored_tier: scored,
    ...calibrationOf(calibrated),
    score: score.score,
    probabilities: { ...score.probabilities },
    confident: score.confident,
    known: score.known,
    reasons: score.reasons().map(({ text, weight }) => ({ reason: text, weight })),
    because: decision.because,
    filters: Array.from(decision.left, ([model, reason]) => ({ model, reason })),
    candidates: decision.ranking.map(({ model, tier, expectedPico, healthy }) => ({
      model,
      tier,
      expected_cost_usd: formatUsd(expectedPico),
      healthy,
    })),
    runner_up: next?.model ?? null,
  }
}

function calibrationOf(
  calibrated: Calibrated | undefined,
): Pick<Static<typeof explanationSchema>, 'calibration' | 'calibrated_tier' | 'correction'> {
  if (calibrated === undefined) return { calibration: 'off', calibrated_tier: null, correction: null }
  const { tier, used, correction } = calibrated
  return {
    calibration: used ? 'on' : 'shadow',
    calibrated_tier: tier,
    correction: Object.fromEntries(tiers.map((name, index) => [name, correction[index]!])),
  }
}
