import type { Spender } from '@turnpike/billing'
import { mayUse } from '../candidates/allowed-models.ts'
import type { KnownKey } from '@turnpike/identity'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated } from '../context/stages.ts'
import { noCreditError } from '../metering/hold-error.ts'
import { withMetadata } from '../metering/refusal-metadata.ts'

/** So much is read of whoever has a key: what a request asks for is told in its refusal and in its row. */
const smallBodyBytes = 64 * 1024
/** The most that is read where the credit covers nothing but models that are free. */
const freeBodyBytes = 8 * 1024 * 1024

/** The least that any request costs. */
const leastPico = 1n

/**
 * How large the request's body may be. Before a large one is read it is known that the key has credit;
 * without a promise where the node has some of it in its lease.
 * @throws {GatewayError} 402 where the key can pay for nothing
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

/** Of its budgets those of its key: what else it falls under stands in the body. */
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
    // The database is away: whether the request can be paid is asked again, and told, once it is understood.
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

/** Whether a key of the account's own may answer, without a fee. */
function mayBeOwn({ vendorKeys }: KnownKey, { ownKeys }: Gateway): boolean {
  return ownKeys !== undefined && Number(ownKeys.settings.fee) === 0 && (vendorKeys?.keys.length ?? 0) > 0
}

/** Whether a model that costs nothing is on the key's list, by its own name or by an alias. */
function mayBeFree({ allowedModels }: KnownKey, { freeModels, catalog }: Gateway): boolean {
  if (freeModels.some((id) => mayUse(allowedModels, id, id))) return true
  for (const [alias, meant] of catalog.aliases)
    if (freeModels.includes(meant) && mayUse(allowedModels, meant, alias)) return true
  return false
}

/** The length of the body as the head says it; undefined where it does not. */
export function announcedBytes({ exchange }: Authenticated): number | undefined {
  const length = exchange.header('content-length')
  return length === undefined ? undefined : Number(length)
}
