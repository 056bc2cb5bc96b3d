/** The time that a minted secret goes by. */
export interface MintTimers {
  /** On the monotonic clock. */
  nowMs(): number
  /** Calls back once, unless what it answers is called before. It keeps no process alive. */
  after(ms: number, call: () => void): () => void
}

export const timersOfNode: MintTimers = {
  nowMs: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  },
}
