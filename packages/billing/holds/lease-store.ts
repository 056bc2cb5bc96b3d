import type { SpendPeriod } from '@turnpike/protocol'

/**
 * Leases: a node takes a part of a key's credit out of the database and spends it locally. So credit is
 * either in the key or in exactly one lease, and no two nodes can spend it twice. The lease belongs to the
 * requesting key; the credit in it belongs to the key that this one draws on, if there is one.
 */
export interface LeaseStore {
  /**
   * Adds to the node's lease of this key: what is needed, plus at most half of the key's remaining free
   * credit, since other nodes serve the key too; nothing if less than `neededPico` is free. One conditional
   * statement, no check-then-act. A key that was replaced takes from the key that has its credit. Never takes
   * more than the account's total credit allows, including debts of its keys: what one key owes, others
   * cannot spend. With a spend limit, spending in the period of `startedAtMs`, or a later one, plus all of
   * the key's leases never exceeds the limit (decision 8).
   */
  take(
    nodeId: string,
    keyId: string,
    neededPico: bigint,
    wantedPico: bigint,
    /** When the request that needs it began, in Unix epoch milliseconds. */
    startedAtMs: number,
  ): Promise<LeaseTaken>
  /**
   * Returns unspent credit of the node's lease to the key, at most what the lease still holds. Credit of a
   * revoked key moves on to its heir (a `sweep`). `answer` goes to the node that recalled the credit.
   */
  giveBack(nodeId: string, keyId: string, amountPico: bigint, answer?: LeaseAnswer): Promise<LeaseState>
  /** Returns all leases of a node, when it starts (after its outbox was flushed) and when it stops. */
  giveBackAll(nodeId: string): Promise<void>
  /** The node's leases of these keys, with an entry for each key that exists. */
  current(nodeId: string, keyIds: readonly string[]): Promise<Map<string, LeaseState>>
  /** Asks other nodes to return unused credit of this key. Returns the nodes that have some. */
  ask(nodeId: string, keyId: string, amountPico: bigint): Promise<LeaseHolder[]>
  /**
   * Records that the node is alive, and that its leases are in use for `leaseMs` from now on. Returns how
   * often they were ever taken from it: if that has grown, none of them is as the node believes.
   */
  heartbeat(nodeId: string, leaseMs: number): Promise<bigint>
  /**
   * Returns and lists all leases of nodes whose last heartbeat is older than their own `leaseMs`, by the
   * database's clock. A node must not spend from its leases once its own heartbeats have failed for that
   * long.
   */
  giveBackExpired(): Promise<string[]>
}

/** A node's lease of one key, as stored in the database. */
export interface LeaseState {
  pico: bigint
  /** Of two states of a lease, the larger version is the later one. */
  version: bigint
}

export interface LeaseTaken {
  lease: LeaseState
  /** What was added to this node's lease; 0 if too little was free. */
  takenPico: bigint
  /** What the paying key has free after this. May be below zero (docs/contract.md, 4.5). */
  freePico: bigint
  /** What other nodes hold in leases of the key. */
  elsewherePico: bigint
  /** The key that has this one's credit since a rotation. Set if that key had too little free. */
  successor?: string
  /** The keys that this one replaced and that still have leases. Set if too little was free. */
  predecessors?: string[]
  /** Other keys with leases of the same credit, and the sum of those. Set if too little was free. */
  sharers?: { keyIds: string[]; leasedPico: bigint }
  /** The key whose credit was too low. Set if it was. */
  payer?: PayerState
  /** Absent: the key has no spend limit. */
  limit?: SpendLimitState
  /** Set if debts of the account's other keys leave less than the key has free. */
  account?: AccountState
  /** The key was revoked or replaced: credit that its requests release is returned at once. */
  isRetired?: boolean
  /** For a budget: more is spent and leased than its limit. Released amounts are returned first. */
  isExceeded?: boolean
  /** For a budget: it was deleted, or no longer limits anything. */
  isGone?: boolean
}

/** The key whose credit a key uses, and what would help if that is too low. */
export interface PayerState {
  keyId: string
  /** False if it is the key itself. */
  isDrawnOn: boolean
  /** Whether it is the account's default key, which gets credit that is bought without naming a key. */
  isDefault: boolean
  /** Another key of the account that has enough free; absent: none. */
  richerKeyId?: string
}

/** The total credit of an account's keys. */
export interface AccountState {
  /** Below zero if more is leased than there is. */
  freePico: bigint
  leasedPico: bigint
  /** Other keys that have leases. Set if too little was free. */
  siblings?: string[]
}

/** What a key's spend limit leaves for leases, including the keys that it replaced. */
export interface SpendLimitState {
  limitPico: bigint
  /** The requested period. */
  period: SpendPeriod
  /** The limit minus spending and leases. Below zero if the limit was lowered. */
  roomPico: bigint
  /** What the leases of replaced keys hold. */
  predecessorsPico: bigint
}

/** A node's answer to a recall of a key's credit. */
export interface LeaseAnswer {
  /** What its running requests hold and may release soon. */
  heldPico: bigint
}

export interface LeaseHolder {
  nodeId: string
  pico: bigint
}
