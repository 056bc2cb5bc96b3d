import { RecentMap } from '@turnpike/limits'

/** Of one account, on one node: more of its refused actions are not written within the hour. */
export const mostRefusals = 100
const windowMs = 60 * 60 * 1000
const mostAccounts = 10_000

interface Window {
  startMs: number
  count: number
}

/**
 * Whether a refused action of an account is written. Nothing is ever deleted from the audit log, and to be
 * refused costs nothing: without a bound anybody with a token fills the disk.
 */
export class Refusals {
  readonly #windows = new RecentMap<Window>(windowMs, mostAccounts)

  /** @returns `last`: written, and the next ones are not until the hour is over */
  count(accountId: string, nowMs: number): 'written' | 'last' | 'left_out' {
    const known = this.#windows.get(accountId, nowMs)
    const window =
      known !== undefined && nowMs - known.startMs < windowMs ? known : { startMs: nowMs, count: 0 }
    window.count++
    this.#windows.set(accountId, window, nowMs)
    if (window.count < mostRefusals) return 'written'
    return window.count === mostRefusals ? 'last' : 'left_out'
  }
}

/** What the last entry says of those behind it. */
export const leftOutDetails = JSON.stringify({ further_refusals: 'left out for up to an hour' })
