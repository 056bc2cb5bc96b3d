/** The clock and timers of a minted secret. */
export interface MintTimers {
  /** On the monotonic clock. */
  nowMs(): number
  /** Calls back once, unless the returned function is called first. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void
}

export const timersOfNode: MintTimers = {
  nowMs: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  },
}
