import type { GatewayLog } from '@turnpike/gateway'
import type { HealthCheck } from '@turnpike/http'
import { Limiter, RedisCounts, TierTable } from '@turnpike/limits'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { openStores } from '../open-stores.ts'
import { withCurrentTiers } from './tiered-accounts.ts'

export interface OpenLimits {
  limiter: Limiter
  tiers: TierTable
  /** Undefined: this node counts for itself. */
  redis: RedisCounts | undefined
  /** Undefined if the limits depend on nothing that can fail. */
  check(): HealthCheck | undefined
  close(): void
}

/** Wraps the stores so that accounts show their current tier, and opens the limits that tiers set. */
export async function openLimitedStores(
  configuration: Configuration,
  log: GatewayLog,
): Promise<{ storage: Storage; limits: OpenLimits }> {
  const stores = await openStores(configuration)
  const limits = await openLimits(configuration, log)
  const accounts = withCurrentTiers(stores.accounts, limits.tiers, configuration.limits)
  return { storage: { ...stores, accounts }, limits }
}

/** Opens the rate limits, counted where the configuration says. */
async function openLimits({ limits, redis }: Configuration, log: GatewayLog): Promise<OpenLimits> {
  const tiers = new TierTable(limits.tiers)
  const shared = redis === null ? undefined : await openRedis(redis, log)
  const { burstPerKeyPerSecond, burstBodyBytes } = limits
  return {
    limiter: new Limiter({ tiers, burstPerKeyPerSecond, burstBodyBytes, shared }),
    tiers,
    redis: shared,
    check: () => (shared === undefined ? undefined : checkOf(shared)),
    close: () => shared?.close(),
  }
}

function openRedis(redis: NonNullable<Configuration['redis']>, log: GatewayLog): Promise<RedisCounts> {
  return RedisCounts.open({
    ...redis,
    onChange(isUp, reason) {
      if (isUp) log.warn({}, 'limits are counted over Redis')
      else log.warn({ error: reason }, 'Redis does not respond: limits are counted on this node only')
    },
  })
}

function checkOf({ isUp }: RedisCounts): HealthCheck {
  if (isUp) return { status: 'ok' }
  return { status: 'degraded', message: 'Redis does not respond: limits are counted on this node only' }
}
