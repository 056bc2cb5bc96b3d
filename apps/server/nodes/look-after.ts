import type { SpendBook } from '@turnpike/billing'
import type { Gateway, GatewayLog } from '@turnpike/gateway'
import type { GatewayServer } from '@turnpike/http'
import type { Storage } from '@turnpike/storage'
import type { OpenLimits } from '../limits/open-limits.ts'
import type { NodeMetrics } from '../metrics/node-metrics.ts'
import { CreditUpkeep } from '../money/credit-upkeep.ts'
import type { OpenNotify } from '../notify/open-notify.ts'
import { NodeHealth } from './node-health.ts'
import type { SharedPrices } from './shared-prices.ts'

export interface LookAfterParts {
  storage: Storage
  gateway: Pick<Gateway, 'keys' | 'health' | 'kept' | 'promptLog'>
  metering: { leases: SpendBook; nodeId: string; leaseMs: number }
  prices: SharedPrices
  notify: Pick<OpenNotify, 'watch' | 'deliveries'>
  server: GatewayServer
  metrics: NodeMetrics
  limits: Pick<OpenLimits, 'check'>
  log: GatewayLog
}

/** Has a node hear of the others from here on, and tell how it is. */
export async function lookAfter(
  parts: LookAfterParts,
): Promise<{ upkeep: CreditUpkeep; health: NodeHealth }> {
  const { storage, gateway, metering, prices, notify, server, metrics, limits, log } = parts
  const upkeep = await CreditUpkeep.start({
    ...metering,
    storage,
    keys: gateway.keys,
    log,
    onOther: (notice) => (notice.about === 'deliveries' ? notify.deliveries.poke() : prices.hear(notice)),
  })
  const { notices } = upkeep
  for (const part of [notify.watch, notify.deliveries]) part.start()
  metrics.watchUpstreams(gateway.health)
  metrics.watchKept(gateway)
  metrics.watchDeliveries(notify)
  const health = new NodeHealth({ storage, server, notices, limits })
  metrics.watch({ admission: server.admission, notices, health })
  return { upkeep, health }
}
