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
  /** Undefined where nothing can be amiss. */
  check(): HealthCheck | undefined
  close(): void
}

/** The stores, whose accounts are in the tiers that they have risen to, and what tiers mean for requests. */
export async function openLimitedStores(
  configuration: Configuration,
  log: GatewayLog,
): Promise<{ storage: Storage; limits: OpenLimits }> {
  const stores = await openStores(configuration)
  const limits = await openLimits(configuration, log)
  const accounts = withCurrentTiers(stores.accounts, limits.tiers, configuration.limits)
  return { storage: { ...stores, accounts }, limits }
}

/** How much callers may ask, counted where the configuration says. */
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
