/** Responses to POSTs with an `Idempotency-Key`: a retry gets the same one, on whichever node. */
export interface IdempotencyStore {
  /**
   * Claims an id for one request, unless it is taken. The step is atomic: of two simultaneous claims, one is
   * `claimed`. `fingerprint` identifies the request, `nodeId` the node that handles it: if that node misses
   * its heartbeats, the same request can take over the claim.
   */
  claim(id: string, fingerprint: string, nowMs: number, nodeId?: string): Promise<Claim>
  /** Keeps a claim's response for 24 hours after the claim; keeps nothing if the claim was taken over. */
  keep(id: string, claimedAtMs: number, answer: KeptAnswer): Promise<void>
  /** Frees a claimed id: the request failed and changed nothing, so a retry may run. */
  release(id: string, claimedAtMs: number): Promise<void>
  /** Frees the ids that a node had claimed but not answered when it was killed; called at its next start. */
  releaseAll(nodeId: string): Promise<void>
}

export type Claim =
  /** `claimedAtMs` identifies the claim in later calls. */
  | { state: 'claimed'; claimedAtMs: number }
  /** Claimed by a request that has no response yet. */
  | { state: 'running' }
  /** Claimed with a different fingerprint. */
  | { state: 'reused' }
  | { state: 'answered'; answer: KeptAnswer }

export interface KeptAnswer {
  status: number
  /** Sealed by the caller: a response may contain a raw API key, which is stored nowhere. */
  body: string
}

export const idempotencyMemoryMs = 24 * 60 * 60 * 1000

/**
 * A request without a response for this long will never get one, whatever its node says, and the same request
 * may take over the id. It is longer than any management request takes.
 */
export const idempotencyAbandonedMs = 2 * 60 * 1000
