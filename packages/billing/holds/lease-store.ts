/**
 * Leases: a node takes a slice of a key's credit out of the database and spends it locally, so credit is
 * either in the key or in exactly one lease, and no two nodes can spend it twice.
 */
export interface LeaseStore {
  /**
   * Adds to the node's lease of this key: `wantedPico` where the key has it free, else all that is free as
   * long as that is at least `neededPico`, else nothing. One conditional statement: never check-then-act.
   */
  take(nodeId: string, keyId: string, neededPico: bigint, wantedPico: bigint): Promise<LeaseTaken>
  /**
   * Gives unspent credit of the node's lease back to the key, at most what the lease still holds. A revoked
   * key's goes on to where its credit went (a `sweep`).
   */
  giveBack(nodeId: string, keyId: string, amountPico: bigint): Promise<void>
  /** Gives back all leases of a node, at its start (after its outbox was flushed) and at its end. */
  giveBackAll(nodeId: string): Promise<void>
  /** Tells that the node is alive and its leases are in use. */
  heartbeat(nodeId: string, nowMs: number): Promise<void>
  /**
   * Gives back all leases of nodes whose last heartbeat is older, and names those nodes. A node must spend
   * nothing from its leases once its own heartbeats have failed for that long.
   */
  giveBackExpired(beforeMs: number): Promise<string[]>
}

export interface LeaseTaken {
  /** What was added to this node's lease; 0 where too little was free. */
  takenPico: bigint
  /** What the key has free in the database afterwards. May be below zero (contract, section 4.5). */
  freePico: bigint
  /** What all nodes hold of the key's credit in leases afterwards. */
  leasedPico: bigint
}
