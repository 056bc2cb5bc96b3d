import type { SpendPeriod } from '@turnpike/protocol'

/**
 * Leases: a node takes a slice of a key's credit out of the database and spends it locally, so credit is
 * either in the key or in exactly one lease, and no two nodes can spend it twice. The lease is of the key
 * that asks; the credit in it, where that key draws on another one, of that other one.
 */
export interface LeaseStore {
  /**
   * Adds to the node's lease of this key: what is needed, and of what the key has free beyond that at most
   * half, since other nodes serve it too; nothing where less than `neededPico` is free. One conditional
   * statement: never check-then-act. A key that was replaced takes from the one that has its credit.
   * Never more than all of the account's credit leaves, its keys' debt included: what one key owes, others do
   * not spend. Where the key has a spend limit, what was spent in the period in which `startedAtMs` lies, or
   * a later one, and all of its leases are never more than that together (decision 8).
   */
  take(
    nodeId: string,
    keyId: string,
    neededPico: bigint,
    wantedPico: bigint,
    /** When the request began that needs it, in Unix epoch milliseconds. */
    startedAtMs: number,
  ): Promise<LeaseTaken>
  /**
   * Gives unspent credit of the node's lease back to the key, at most what the lease still holds. A revoked
   * key's goes on to where its credit went (a `sweep`). Where another node has asked for it, it is told.
   */
  giveBack(nodeId: string, keyId: string, amountPico: bigint, answer?: LeaseAnswer): Promise<LeaseState>
  /** Gives back all leases of a node, at its start (after its outbox was flushed) and at its end. */
  giveBackAll(nodeId: string): Promise<void>
  /** The node's leases of these keys; an entry for each key that exists. */
  current(nodeId: string, keyIds: readonly string[]): Promise<Map<string, LeaseState>>
  /** Asks other nodes to give back what they do not use of this key's credit; names those that have some. */
  ask(nodeId: string, keyId: string, amountPico: bigint): Promise<LeaseHolder[]>
  /**
   * Tells that the node is alive, and that its leases are in use for `leaseMs` from now on. Answers how often
   * they were ever taken from it: where that has grown, none of them is what the node thinks.
   */
  heartbeat(nodeId: string, leaseMs: number): Promise<bigint>
  /**
   * Gives back all leases of nodes whose last heartbeat is older than they said, by the database's clock, and
   * names those nodes. A node must spend nothing from its leases once its own heartbeats have failed for
   * that long.
   */
  giveBackExpired(): Promise<string[]>
}

/** A node's lease of one key, as it is in the database. */
export interface LeaseState {
  pico: bigint
  /** The larger one of two states of a lease is the later. */
  version: bigint
}

export interface LeaseTaken {
  lease: LeaseState
  /** What was added to this node's lease; 0 where too little was free. */
  takenPico: bigint
  /**
   * What the key, or the one that it draws on, has free in the database afterwards. May be below zero
   * (docs/contract.md, 4.5).
   */
  freePico: bigint
  /** What other nodes hold in leases of the key. */
  elsewherePico: bigint
  /** The key that has this one's credit since it was rotated; told where that had too little free. */
  successor?: string
  /** The keys that this one replaced and that still have leases; told where too little was free. */
  predecessors?: string[]
  /**
   * Other keys that have leases of the credit that this one uses, and what those hold; told where too little
   * was free.
   */
  sharers?: { keyIds: string[]; leasedPico: bigint }
  /** Whose credit had too little free; told where it had. */
  payer?: PayerState
  /** Absent: the key has no spend limit. */
  limit?: SpendLimitState
  /** Told where debt of the account's other keys leaves less than the key has free. */
  account?: AccountState
  /** The key was revoked or replaced: what its requests leave is another's, and goes back at once. */
  isRetired?: boolean
  /** Of a budget: more is spent and leased than its limit. What ends goes back before it is spent again. */
  isExceeded?: boolean
  /** Of a budget: it was deleted, or bounds nobody any more. */
  isGone?: boolean
}

/** The key whose credit a key uses, and what would help where that is too little. */
export interface PayerState {
  keyId: string
  /** False: it is the key itself. */
  isDrawnOn: boolean
  /** Whether it is the account's default key, which gets what is bought for no key by name. */
  isDefault: boolean
  /** Another key of the account that has enough free; absent: none has. */
  richerKeyId?: string
}

/** The credit of all of an account's keys together. */
export interface AccountState {
  /** Below zero where more is leased than there is. */
  freePico: bigint
  leasedPico: bigint
  /** Other keys that have leases; told where too little was free. */
  siblings?: string[]
}

/** What a key's spend limit leaves for leases. Keys that it replaced count with it. */
export interface SpendLimitState {
  limitPico: bigint
  /** The one that was asked about. */
  period: SpendPeriod
  /** The limit less what is spent and what is in leases. Below zero where the limit was lowered. */
  roomPico: bigint
  /** What the leases of replaced keys hold. */
  predecessorsPico: bigint
}

/** What a node tells the others that asked it for a key's credit. */
export interface LeaseAnswer {
  /** What its requests in flight hold, and may return soon. */
  heldPico: bigint
}

export interface LeaseHolder {
  nodeId: string
  pico: bigint
}
