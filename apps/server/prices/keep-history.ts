import type { PriceHistoryStore } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'
import type { PriceBook } from './price-book.ts'

interface HistoryParts {
  history: PriceHistoryStore
  nodeId: string
  log: GatewayLog
  clock: () => number
}

/**
 * Writes down how prices changed, from now on: at the start (with a new version of this program come new
 * prices), after each refresh, and when a price's time begins or ends. Behind all of these: no request and no
 * refresh waits for it, or fails with it. What this node has written down once it does not repeat, so that
 * two nodes of different prices do not tell of each other's for ever.
 * @returns resolves once what was begun is written; for tests and the end
 */
export function keepPriceHistory(book: PriceBook, { history, nodeId, log, clock }: HistoryParts) {
  let written: string | undefined
  let behind: Promise<void> = Promise.resolve()
  const record = async (): Promise<void> => {
    const { prices, sourceOf, version } = book.list()
    const text = JSON.stringify(prices)
    if (text === written) return
    try {
      await history.record({ version, prices, nodeId, sourceOf }, clock())
      written = text
    } catch (error) {
      log.error({ error: String(error) }, 'price changes could not be recorded')
    }
  }
  book.onTaken = () => {
    behind = behind.then(record)
  }
  book.onTaken()
  return { settled: () => behind }
}
