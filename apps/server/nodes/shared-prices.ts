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
 * The prices of a node that shares a database with others. When an operator has one node read its prices
 * again, the others do the same, each from its own configuration and price file: the notice says that
 * prices changed, not how.
 */
export class SharedPrices implements PriceService {
  readonly #options: SharedPricesOptions

  constructor(options: SharedPricesOptions) {
    this.#options = options
  }

  report(): PriceReport {
    return this.#options.book.report()
  }

  /**
   * Resolves once the other nodes are notified.
   * @throws like the price book's `refresh`
   */
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
    // Other nodes may have read their prices again meanwhile.
    else if (notice.about === 'missed') void this.#follow(undefined)
  }

  async #follow(notice: Extract<Notice, { about: 'prices' }> | undefined): Promise<void> {
    const { book, log } = this.#options
    try {
      const own = await book.refresh()
      // The version begins with the date of the node's own price file, so only the rest is compared.
      if (notice === undefined || dataOf(own.version) === dataOf(notice.version)) return
      const versions = { node: notice.nodeId, its_version: notice.version, version: own.version }
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

/** The last part of `prices_2026-11-21_0123456789ab`. */
function dataOf(version: string): string {
  return version.slice(version.lastIndexOf('_') + 1)
}
