import type { LeaseClock, LeaseTerm } from './lease-term.ts'

export interface LeaseBookOptions {
  /** Without a heartbeat for this long, a node's leases are taken from it; default 120 s. */
  leaseMs?: number
  /** How long a request may wait for idle credit in other nodes' leases; default 1 s. */
  askMs?: number
  clock?: LeaseClock
  /** How long a used-up lease is not requested again; default: not at all. */
  usedUpMs?: number
  /** Shared with another book of this node; absent: a new one. */
  term?: LeaseTerm
}

export const defaultLeaseMs = 120_000
