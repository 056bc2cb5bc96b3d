import { RecentMap } from '@turnpike/limits'

/** How many refused actions of an account one node records within an hour. */
export const mostRefusals = 100
const windowMs = 60 * 60 * 1000
const mostAccounts = 10_000

interface Window {
  startMs: number
  count: number
}

/**
 * Limits how many refused actions of an account are recorded. Nothing is ever deleted from the audit log, and
 * a refused request costs nothing: without a limit, anybody with a token could fill the disk.
 */
export class Refusals {
  readonly #windows = new RecentMap<Window>(windowMs, mostAccounts)

  /** @returns `last`: recorded, but the next ones are not until the hour is over */
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

/** Recorded with the last entry, to explain that the following ones are missing. */
export const leftOutDetails = JSON.stringify({ further_refusals: 'left out for up to an hour' })
