/** Rejected with where nobody answered in time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * The outcome of a promise, unless it takes longer. What had come by then counts, also where this process was
 * too busy to look at it: timers run before what the network brought.
 */
export function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new DeadlineError(`no response within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(late), ms)
    const end = (): void => clearTimeout(timer)
    promise.then(resolve, reject).finally(end)
  })
}
