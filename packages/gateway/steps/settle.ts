import { findChargedLeases, formatUsd, rate, rateBoth, type Rated } from '@turnpike/billing'
import { GatewayError, totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { tierServed } from '../auto/route-record.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { endWithError, type Ending } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held, Received } from '../context/stages.ts'
import { withServices } from '../metering/billed-services.ts'
import { completeUsage } from '../metering/complete-usage.ts'
import { toTokensUsed } from '../metering/tokens-used.ts'
import { coverExcess } from '../metering/cover-excess.ts'
import type { RequestRecord } from '../records/request-record.ts'
import { tagsOfRefused } from './read-tags.ts'

/** A settled request: what is left to send, and the figures to send with it. */
export interface Settled {
  ending: Ending
  usage: Usage | undefined
  /** USD, as a decimal string. */
  costUsd: string
}

/**
 * Charges the request by its ending, releases the hold, and makes the row safe. Only then may the last bytes
 * go out. Runs for every request, however it ended. Never rejects: if the row cannot be stored, the answer is
 * not completed, since it could not be charged.
 */
export async function settle(
  request: Received & Partial<Held>,
  reached: Ending,
  gateway: Gateway,
): Promise<Settled> {
  let ending = reached
  const { record, hold, allowance, attempt } = request
  if (record === undefined || request.unrecorded === true) return { ending, usage: undefined, costUsd: '0' }
  let chargePico = 0n
  let usage: Usage | undefined
  try {
    let rated = nothing
    if (attempt !== undefined && ending.outcome !== 'failed') {
      const completed = completeUsage(attempt, ending, gateway)
      const counted = completed instanceof Promise ? await completed : completed
      usage = withServices(counted, ending.tier, attempt, gateway)
      rated = rateBoth(usage, attempt.candidate.prices)
      if (rated.chargePico > attempt.request.hold.amountPico)
        ({ ending, usage, rated } = await coverExcess(attempt, { ending, usage, rated }, gateway))
    }
    fillRecord(record, request, ending, rated)
    if (attempt !== undefined && usage !== undefined) recordAnswer(attempt, usage, gateway)
    if (hold?.budgets !== undefined) record.budgetLeases = findChargedLeases(hold, record.modelServed)
    await gateway.outbox.append(record)
    gateway.observer.settled(record, request.exchange)
    chargePico = rated.chargePico
    return { ending, usage, costUsd: formatUsd(chargePico) }
  } catch (cause) {
    gateway.log.error({ requestId: record.id, error: String(cause) }, 'a request could not be recorded')
    return { ending: toUnrecordedEnding(ending, cause), usage: undefined, costUsd: '0' }
  } finally {
    if (hold !== undefined) gateway.leases.settle(hold, chargePico, record.modelServed)
    if (allowance !== undefined) {
      const isCounted = usage !== undefined && attempt !== undefined
      const { inputTokens } = allowance.estimate
      const used = isCounted ? toTokensUsed(usage!, attempt.candidate.provider, inputTokens) : undefined
      gateway.limiter.settle(allowance, used)
    }
  }
}

const nothing: Rated = { chargePico: 0n, vendorCostPico: 0n }

function fillRecord(
  record: RequestRecord,
  { exchange, format, call }: Received & Partial<Held>,
  ending: Ending,
  rated: Rated,
): void {
  record.outcome = ending.outcome
  record.status = ending.tail.kind === 'error' ? format.errorStatus(ending.tail.error) : ending.status
  record.errorType = ending.error?.type ?? null
  record.errorParam = errorParamOf(ending.error)
  record.durationMs = Math.round(performance.now() - exchange.startedAtMonotonicMs)
  if (record.firstTokenMs !== null) record.firstTokenMs = Math.round(record.firstTokenMs)
  record.chargePico = rated.chargePico
  record.vendorCostPico = rated.vendorCostPico
  record.ownCostPico = rated.ownCostPico
  // A rejected body may have no valid tags, or too many: those that can be stored are.
  if (record.tags.length === 0) record.tags = tagsOfRefused(exchange, format, call?.tags ?? [])
}

/** A vendor may put anything here, even the caller's text. Only values that look like a path are kept. */
const fieldPath = /^[\w$][\w$.:[\]/-]{0,199}$/

function errorParamOf(error: Ending['error']): string | undefined {
  const param = error?.param
  return typeof param === 'string' && fieldPath.test(param) ? param : undefined
}

/** Records which model answered, and the usage. */
function recordAnswer({ request, candidate }: Attempt, usage: Usage, gateway: Gateway): void {
  const { record } = request
  record.usage = usage
  record.tokensIn = totalInputTokens(usage)
  record.tokensOut = totalOutputTokens(usage)
  record.modelServed = candidate.model.id
  recordRoute(request, candidate.model, usage, gateway)
}

/** Continues the conversation with the model that answered, and records the baseline's price. */
function recordRoute(
  { route, record, key }: Held,
  model: Candidate['model'],
  usage: Usage,
  gateway: Gateway,
): void {
  if (route === undefined) return
  record.tier = tierServed(route, model.id)
  const baseline = gateway.auto.baselinePrices(key.baselineModel)
  // An own key is billed by its vendor, so auto-routing saves its owner nothing here.
  record.baselinePico = baseline === undefined || record.isByok === true ? null : rate(usage, baseline)
  const { id: requestId, startedAtMs, outcome } = record
  const completed = outcome === 'completed'
  gateway.auto.recordAnswer(route, { requestId, model: model.id, completed, nowMs: startedAtMs })
}

function toUnrecordedEnding(ending: Ending, cause: unknown): Ending {
  const error = new GatewayError('service_unavailable', 'The request could not be recorded; please retry.', {
    cause,
    retryAfterSeconds: 1,
  })
  if (ending.tail.kind !== 'stream') return ending.tail.kind === 'none' ? ending : endWithError(error)
  // The stream's head has gone out, so the connection breaks off: no client takes that for a regular end.
  return { ...ending, tail: { kind: 'cut' } }
}
