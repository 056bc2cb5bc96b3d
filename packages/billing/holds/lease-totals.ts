import type { KeyCredit } from './key-credit.ts'

/** A node's share of all keys' credit at one moment, in pico-USD. */
export interface LeaseTotals {
  keys: number
  availablePico: bigint
  heldPico: bigint
  /** Charged, but not yet taken off the leases in the database. */
  unflushedPico: bigint
}

export function totalsOf(keys: ReadonlyMap<string, KeyCredit>): LeaseTotals {
  const totals = { keys: keys.size, availablePico: 0n, heldPico: 0n, unflushedPico: 0n }
  for (const { availablePico, heldPico, unflushedPico } of keys.values()) {
    totals.availablePico += availablePico
    totals.heldPico += heldPico
    totals.unflushedPico += unflushedPico
  }
  return totals
}
