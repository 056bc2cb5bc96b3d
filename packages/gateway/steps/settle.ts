import { formatUsd, rate, rateBoth, type Rated } from '@turnpike/billing'
import { GatewayError, totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { tierServed } from '../auto/route-record.ts'
import { failed, type Ending } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held, Received } from '../context/stages.ts'
import { withServices } from '../metering/billed-services.ts'
import { completeUsage } from '../metering/complete-usage.ts'
import { countedTokens } from '../metering/counted-tokens.ts'
import { coverExcess } from '../metering/cover-excess.ts'
import { headerTags, recordableTags } from './read-tags.ts'

/** A request that is settled: what is left to send, and the numbers to send with it. */
export interface Settled {
  ending: Ending
  usage: Usage | undefined
  /** USD, a decimal string. */
  costUsd: string
}

/**
 * Charges what the ending says, frees the hold, and makes the row safe; only then may the last bytes go out.
 * Runs for every request, whatever became of it. Never rejects: where the row cannot be kept, the answer
 * that nobody could be charged for is not completed.
 */
export async function settle(
  request: Received & Partial<Held>,
  reached: Ending,
  gateway: Gateway,
): Promise<Settled> {
  let ending = reached
  const { record, hold, allowance } = request
  if (record === undefined || request.unrecorded === true) return { ending, usage: undefined, costUsd: '0' }
  let chargePico = 0n
  let usage: Usage | undefined
  try {
    const said = ending.outcome === 'failed' ? undefined : completeUsage(request as Held, ending, gateway)
    const counted = said instanceof Promise ? await said : said
    usage = counted === undefined ? undefined : withServices(counted, ending.tier, request as Held, gateway)
    let rated = usage === undefined ? nothing : rateBoth(usage, (request as Held).prices)
    if (usage !== undefined && rated.chargePico > (request as Held).hold.amountPico)
      ({ ending, usage, rated } = await coverExcess(request as Held, { ending, usage, rated }, gateway))
    fillIn(request as Held, ending, usage, rated)
    if (usage !== undefined) noteRoute(request as Held, usage, gateway)
    await gateway.outbox.append(record)
    gateway.observer.settled(record, request.exchange)
    chargePico = rated.chargePico
    return { ending, usage, costUsd: formatUsd(chargePico) }
  } catch (cause) {
    gateway.log.error({ requestId: record.id, error: String(cause) }, 'a request could not be recorded')
    return { ending: unrecorded(ending, cause), usage: undefined, costUsd: '0' }
  } finally {
    if (hold !== undefined) gateway.leases.settle(hold, chargePico)
    if (allowance !== undefined) {
      const used = usage === undefined ? undefined : countedTokens(usage, (request as Held).provider)
      gateway.limiter.settle(allowance, used)
    }
  }
}

const nothing: Rated = { chargePico: 0n, vendorCostPico: 0n }

function fillIn(request: Held, ending: Ending, usage: Usage | undefined, rated: Rated): void {
  const { record, exchange, format } = request
  record.outcome = ending.outcome
  record.status = ending.tail.kind === 'error' ? format.errorStatus(ending.tail.error) : ending.status
  record.errorType = ending.error?.type ?? null
  record.durationMs = Math.round(performance.now() - exchange.startedAtMonotonicMs)
  if (record.firstTokenMs !== null) record.firstTokenMs = Math.round(record.firstTokenMs)
  record.chargePico = rated.chargePico
  record.vendorCostPico = rated.vendorCostPico
  if (usage !== undefined) {
    record.usage = usage
    record.tokensIn = totalInputTokens(usage)
    record.tokensOut = totalOutputTokens(usage)
    record.modelServed = request.model.id
  }
  // A body that was refused told no tags, or too many: those that can be kept are.
  if (record.tags.length === 0)
    record.tags = recordableTags([...headerTags(exchange), ...(request.call?.tags ?? [])])
}

/** The conversation goes on with the model that answered; what was saved by it is kept. */
function noteRoute({ route, model, record, key }: Held, usage: Usage, gateway: Gateway): void {
  if (route === undefined) return
  record.tier = tierServed(route, model.id)
  const baseline = gateway.auto.baselinePrices(key.baselineModel)
  record.baselinePico = baseline === undefined ? null : rate(usage, baseline)
  const { id: requestId, startedAtMs, outcome } = record
  const completed = outcome === 'completed'
  gateway.auto.answered(route, { requestId, model: model.id, completed, nowMs: startedAtMs })
}

function unrecorded(ending: Ending, cause: unknown): Ending {
  const error = new GatewayError('service_unavailable', 'The request could not be recorded; please retry.', {
    cause,
    retryAfterSeconds: 1,
  })
  if (ending.tail.kind !== 'stream') return ending.tail.kind === 'none' ? ending : failed(error)
  // The head of the stream is out: its connection breaks off, which no client takes for an end.
  return { ...ending, tail: { kind: 'cut' } }
}
