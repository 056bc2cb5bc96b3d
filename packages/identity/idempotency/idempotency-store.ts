/**
 * What was answered to POSTs that carried an `Idempotency-Key`, so that a retry gets the same answer and
 * does nothing twice, on whichever node it arrives.
 */
export interface IdempotencyStore {
  /**
   * Claims an id for one request, unless it is taken. One atomic step: of two claims at the same moment one
   * is `claimed`. `fingerprint` tells whether the request is the same, `nodeId` which node handles it: where
   * that has missed heartbeats, the claim goes to the same request.
   */
  claim(id: string, fingerprint: string, nowMs: number, nodeId?: string): Promise<Claim>
  /** Keeps the answer of a claim until 24 hours after it; of a claim that was taken over it keeps nothing. */
  keep(id: string, claimedAtMs: number, answer: KeptAnswer): Promise<void>
  /** Frees a claimed id: its request failed and changed nothing, so a retry may run. */
  release(id: string, claimedAtMs: number): Promise<void>
  /** Frees what a node had claimed and not answered when it was killed: at its next start. */
  releaseAll(nodeId: string): Promise<void>
}

export type Claim =
  /** Names the claim in what follows. */
  | { state: 'claimed'; claimedAtMs: number }
  /** Claimed by a request that is not answered yet. */
  | { state: 'running' }
  /** Claimed with another fingerprint. */
  | { state: 'reused' }
  | { state: 'answered'; answer: KeptAnswer }

export interface KeptAnswer {
  status: number
  /** Sealed by the caller: an answer may hold a raw API key, which is stored nowhere. */
  body: string
}

export const idempotencyMemoryMs = 24 * 60 * 60 * 1000

/**
 * A request that has not answered for so long never will, whatever its node says. The same request may then
 * take the id over. Longer than any management request takes.
 */
export const idempotencyAbandonedMs = 2 * 60 * 1000
