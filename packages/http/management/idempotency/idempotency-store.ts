/**
 * What was answered to POSTs that carried an `Idempotency-Key`, so that a retry gets the same answer and
 * does nothing twice. An answer may hold a raw API key, which is stored nowhere else: an implementation
 * that writes to a disk or a database must seal it.
 */
export interface IdempotencyStore {
  /**
   * Claims an id for one request, unless it is taken. One atomic step: of two claims at the same moment one
   * is `claimed`. `fingerprint` tells whether the body is the same.
   */
  claim(id: string, fingerprint: string, nowMs: number): Promise<Claim>
  /** Keeps the answer of a claimed id until 24 hours after its claim. */
  keep(id: string, answer: KeptAnswer): Promise<void>
  /** Frees a claimed id: its request failed and changed nothing, so a retry may run. */
  release(id: string): Promise<void>
}

export type Claim =
  | { state: 'claimed' }
  /** Claimed by a request that is not answered yet. */
  | { state: 'running' }
  /** Claimed with another fingerprint. */
  | { state: 'reused' }
  | { state: 'answered'; answer: KeptAnswer }

export interface KeptAnswer {
  status: number
  /** JSON. */
  body: string
}

export const idempotencyMemoryMs = 24 * 60 * 60 * 1000
