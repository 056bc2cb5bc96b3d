import { formatUsd, rateBoth, type HoldRefusal, type Rated } from '@turnpike/billing'
import { GatewayError, outputBuckets, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { endWithError, type Ending } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { budgetName, raiseBudget } from './budget-words.ts'
import { creditUnknown } from './credit-errors.ts'
import { withMetadata } from './refusal-metadata.ts'
import { findRequestedServices } from './requested-services.ts'

/** What a request is charged, and how that changes its ending. */
export interface Covered {
  ending: Ending
  usage: Usage
  rated: Rated
}

/**
 * Handles usage that costs more than the hold. More input than estimated is charged as it is. More output
 * than held comes from a vendor that ignored its bound, or had none: it is charged if the key's credit covers
 * it. Otherwise only the held amount is charged, and a plain answer, of which nothing has gone out, is
 * withheld. More searches than held are also charged if the credit covers them.
 */
export async function coverExcess(attempt: Attempt, covered: Covered, gateway: Gateway): Promise<Covered> {
  const { usage, rated, ending } = covered
  const { request, candidate, heldOutputTokens } = attempt
  const { hold, heldInputTokens } = request
  const { provider, prices, model } = candidate
  const isTooLong = totalOutputTokens(usage) > heldOutputTokens
  const { webSearches: heldSearches = 0 } = findRequestedServices(request, {
    provider,
    model,
    heldInputTokens,
  })
  if (!isTooLong && (usage.webSearches ?? 0) <= heldSearches) return covered
  const refused = await extendHold(attempt, rated.chargePico - hold.amountPico, gateway)
  if (refused === undefined) return covered
  const within = withSearches(withOutput(usage, heldOutputTokens), heldSearches)
  const ratedWithin = rateBoth(within, prices)
  if (ending.tail.kind !== 'answer' || !isTooLong) return { ending, usage: within, rated: ratedWithin }
  const error =
    refused === 'unknown'
      ? creditUnknown()
      : notCovered(attempt, { ...covered, chargedPico: ratedWithin.chargePico, refused }, gateway)
  const notGiven: Ending = { ...endWithError(error), outcome: 'credit_exhausted' }
  return { ending: notGiven, usage: within, rated: ratedWithin }
}

/** Undefined if the hold has grown; what is missing; or `unknown` if the database is unavailable. */
async function extendHold(
  { request: { hold, record }, candidate }: Attempt,
  morePico: bigint,
  gateway: Gateway,
): Promise<HoldRefusal | 'ended' | 'unknown' | undefined> {
  try {
    const refused = await gateway.leases.extend(hold, morePico, candidate.model.id)
    if (refused !== undefined) return refused
    record.holdPico = hold.amountPico
    return undefined
  } catch (error) {
    gateway.log.warn({ requestId: record.id, error: String(error) }, 'the hold could not be extended')
    return 'unknown'
  }
}

/** Caps the output at this many tokens, all of which the hold covers at the highest output price. */
function withOutput(usage: Usage, mostTokens: number): Usage {
  const within: Usage = { ...usage, estimated: true, disbelieved: 'beyond-hold' }
  let tooMany = Math.max(0, totalOutputTokens(usage) - mostTokens)
  for (const bucket of outputBuckets) {
    const less = Math.min(within[bucket] ?? 0, tooMany)
    if (less === 0) continue
    within[bucket] = (within[bucket] ?? 0) - less
    tooMany -= less
  }
  return within
}

function withSearches(usage: Usage, most: number): Usage {
  return (usage.webSearches ?? 0) > most ? { ...usage, webSearches: most } : usage
}

interface NotCovered extends Pick<Covered, 'usage' | 'rated'> {
  /** The part of the full cost that is charged. */
  chargedPico: bigint
  refused: HoldRefusal | 'ended'
}

function notCovered(
  { request: { key } }: Attempt,
  { usage, rated, chargedPico, refused }: NotCovered,
  { payLinks }: Gateway,
): GatewayError {
  const rule = refused === 'ended' ? undefined : refused.budget?.rule
  const message =
    `The answer has ${totalOutputTokens(usage)} output tokens, more than ` +
    `${rule === undefined ? "the key's credit" : budgetName(rule)} covers. ` +
    `The ${formatUsd(chargedPico)} USD held for it was charged. ` +
    (rule === undefined ? 'Top up (POST /api/v1/topup).' : `${raiseBudget(rule)}.`)
  const error = new GatewayError('insufficient_quota', message)
  return refused === 'ended' ? error : withMetadata(error, refused, rated.chargePico, { key, payLinks })
}
