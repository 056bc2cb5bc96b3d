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
 * Records price changes from now on: at the start, because a new version of the program brings new prices;
 * after each refresh; and when a time-limited price begins or ends. It runs afterwards: no request and no
 * refresh waits for it or fails with it. A node does not record the same prices twice, so that two nodes
 * with different prices do not record each other's changes for ever.
 * @returns a function that resolves once pending records are written; for tests and the end
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
