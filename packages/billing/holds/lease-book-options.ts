import type { LeaseClock, LeaseTerm } from './lease-term.ts'

export interface LeaseBookOptions {
  /** After so long without a heartbeat, a node's leases are taken from it; default 120 s. */
  leaseMs?: number
  /** How long a request may wait for credit that is idle in other nodes' leases; default 1 s. */
  askMs?: number
  clock?: LeaseClock
  /** For how long what is used up is not asked for again; default: not at all. */
  usedUpMs?: number
  /** Shared with another book of this node; absent: one of its own. */
  term?: LeaseTerm
}

export const defaultLeaseMs = 120_000
