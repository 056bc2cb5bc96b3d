import type { SpendBook } from '@turnpike/billing'
import type { Gateway, GatewayLog } from '@turnpike/gateway'
import type { GatewayServer } from '@turnpike/http'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import type { OpenLimits } from '../limits/open-limits.ts'
import type { NodeMetrics } from '../metrics/node-metrics.ts'
import { CreditUpkeep } from '../money/credit-upkeep.ts'
import type { OpenNotify } from '../notify/open-notify.ts'
import type { OpenOwnKeys } from '../own-keys/open-own-keys.ts'
import { LedgerSchedule } from './ledger-schedule.ts'
import { NodeHealth } from './node-health.ts'
import type { SharedPrices } from './shared-prices.ts'
import { verifyingAll } from './verify-books.ts'

export interface UpkeepParts {
  storage: Storage
  gateway: Pick<Gateway, 'keys' | 'health' | 'credentials' | 'kept' | 'promptLog'>
  metering: { leases: SpendBook; nodeId: string; leaseMs: number }
  prices: SharedPrices
  notify: Pick<OpenNotify, 'watch' | 'deliveries'>
  /** Undefined: accounts have no own keys. */
  byok: Pick<OpenOwnKeys, 'upkeep'> | undefined
  server: GatewayServer
  metrics: NodeMetrics
  limits: Pick<OpenLimits, 'check'>
  log: GatewayLog
  configuration: Pick<Configuration, 'billing' | 'dataDir'>
}

/** Starts the node's exchange with other nodes, and its metrics. */
export async function startUpkeep(
  parts: UpkeepParts,
): Promise<{ upkeep: CreditUpkeep; health: NodeHealth; books: LedgerSchedule }> {
  const { storage, gateway, metering, prices, notify, byok, server, metrics, limits, log } = parts
  const upkeep = await CreditUpkeep.start({
    ...metering,
    storage,
    keys: gateway.keys,
    log,
    onOther(notice) {
      if (notice.about === 'deliveries' || notice.about === 'missed') notify.deliveries.poke()
      prices.hear(notice)
    },
  })
  const { notices } = upkeep
  const books = booksOf(parts)
  for (const part of [notify.watch, notify.deliveries, byok?.upkeep, books]) part?.start()
  metrics.watchUpstreams(gateway)
  metrics.watchKept(gateway)
  metrics.watchDeliveries(notify)
  metrics.watchOwnKeys(byok?.upkeep)
  metrics.watchBooks(books)
  const health = new NodeHealth({ storage, server, notices, limits, credentials: gateway.credentials })
  metrics.watch({ admission: server.admission, notices, health })
  return { upkeep, health, books }
}

function booksOf({ storage, metering, configuration, log }: UpkeepParts): LedgerSchedule {
  return new LedgerSchedule({
    ledger: verifyingAll(storage, configuration.dataDir).ledger,
    runs: storage.verifications,
    nodeId: metering.nodeId,
    everyMs: configuration.billing.verifyEveryMs,
    clock: () => Date.now(),
    onFailure: (error, what) => log.error({ error: String(error) }, what),
  })
}
