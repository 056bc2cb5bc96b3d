import type { GatewayLog } from '@turnpike/gateway'
import type { PriceReport, PriceService } from '@turnpike/http'
import type { Notice, Storage } from '@turnpike/storage'

export interface SharedPricesOptions {
  book: PriceService
  storage: Pick<Storage, 'announce'>
  nodeId: string
  log: GatewayLog
}

/**
 * The prices of a node among others. What an operator has one node read again, the others read again too,
 * each from its own configuration and price file: a node tells that there is something new, not what.
 */
export class SharedPrices implements PriceService {
  readonly #options: SharedPricesOptions

  constructor(options: SharedPricesOptions) {
    this.#options = options
  }

  report(): PriceReport {
    return this.#options.book.report()
  }

  /** Resolves once the other nodes are told. @throws as the price book does */
  async refresh(): Promise<PriceReport> {
    const { book, storage, nodeId, log } = this.#options
    const report = await book.refresh()
    try {
      await storage.announce({ about: 'prices', nodeId, version: report.version })
    } catch (error) {
      log.error({ error: String(error) }, 'other nodes could not be notified to reload their prices')
    }
    return report
  }

  hear(notice: Notice): void {
    if (notice.about === 'prices' && notice.nodeId !== this.#options.nodeId) void this.#follow(notice)
    // Others may have read theirs again meanwhile.
    else if (notice.about === 'missed') void this.#follow(undefined)
  }

  async #follow(heard: Extract<Notice, { about: 'prices' }> | undefined): Promise<void> {
    const { book, log } = this.#options
    try {
      const own = await book.refresh()
      // The day in it is that of the node's own file.
      if (heard === undefined || dataOf(own.version) === dataOf(heard.version)) return
      const versions = { node: heard.nodeId, its_version: heard.version, version: own.version }
      log.warn(versions, 'another node has different prices: its configuration or price file differs')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.error(
        { error: reason },
        'the prices could not be refreshed as on another node: the old ones stay in use',
      )
    }
  }
}

/** Of `prices_2026-11-21_0123456789ab` the last part. */
function dataOf(version: string): string {
  return version.slice(version.lastIndexOf('_') + 1)
}
