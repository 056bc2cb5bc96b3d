import type { Spender } from '@turnpike/billing'
import { mayUse } from '../candidates/allowed-models.ts'
import type { KnownKey } from '@turnpike/identity'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated } from '../context/stages.ts'
import { noCreditError } from '../metering/hold-error.ts'
import { withMetadata } from '../metering/refusal-metadata.ts'

/** Bodies up to this size are read for every key, so that a rejection and its row can name the model. */
const smallBodyBytes = 64 * 1024
/** The largest body to read if the key can only pay for free models. */
const freeBodyBytes = 8 * 1024 * 1024

/** The least that any request costs. */
const leastPico = 1n

/**
 * How large the request's body may be. Checks that the key has credit before a large body is read. Returns no
 * promise if the node's lease has credit.
 * @throws {GatewayError} 402 if the key can pay for nothing
 */
export function findBodyLimit(
  request: Authenticated,
  announcedBytes: number | undefined,
  gateway: Gateway,
): number | Promise<number> {
  const { key } = request
  const { maxBodyBytes } = gateway.settings
  if (announcedBytes !== undefined) gateway.limiter.weigh(key, Math.min(announcedBytes, maxBodyBytes))
  if (announcedBytes !== undefined && announcedBytes <= smallBodyBytes) return maxBodyBytes
  if (gateway.leases.hasCredit(spenderOf(request))) return maxBodyBytes
  return limitByCredit(request, announcedBytes, gateway)
}

/** With the key's budgets only: the other budgets depend on the body. */
function spenderOf({ exchange, key }: Authenticated): Spender {
  return { keyId: key.id, startedAtMs: exchange.startedAtMs, budgets: key.ownBudgets }
}

async function limitByCredit(
  request: Authenticated,
  announcedBytes: number | undefined,
  gateway: Gateway,
): Promise<number> {
  const { key } = request
  const { maxBodyBytes } = gateway.settings
  let result
  try {
    result = await gateway.leases.hold(spenderOf(request), leastPico)
  } catch {
    // The database is unavailable: `placeHold` checks the credit again and reports it.
    return maxBodyBytes
  }
  if ('hold' in result) {
    gateway.leases.settle(result.hold, 0n)
    return maxBodyBytes
  }
  if (result.refused.waitingHelps || mayBeOwn(key, gateway)) return maxBodyBytes
  if (mayBeFree(key, gateway) && (announcedBytes ?? 0) <= freeBodyBytes)
    return Math.min(freeBodyBytes, maxBodyBytes)
  throw withMetadata(noCreditError(result.refused), result.refused, undefined, {
    key,
    payLinks: gateway.payLinks,
  })
}

/** Whether one of the account's own keys may answer, without a fee. */
function mayBeOwn({ vendorKeys }: KnownKey, { ownKeys }: Gateway): boolean {
  return ownKeys !== undefined && Number(ownKeys.settings.fee) === 0 && (vendorKeys?.keys.length ?? 0) > 0
}

/** Whether the key's list allows a model that costs nothing, by its own name or an alias. */
function mayBeFree({ allowedModels }: KnownKey, { freeModels, catalog }: Gateway): boolean {
  if (freeModels.some((id) => mayUse(allowedModels, id, id))) return true
  for (const [alias, target] of catalog.aliases)
    if (freeModels.includes(target) && mayUse(allowedModels, target, alias)) return true
  return false
}

/** The value of `content-length`; undefined without that header. */
export function announcedBytes({ exchange }: Authenticated): number | undefined {
  const length = exchange.header('content-length')
  return length === undefined ? undefined : Number(length)
}
