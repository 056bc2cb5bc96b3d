/** The rejection if there was no reply in time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * The promise's outcome, or a rejection if it takes too long. A reply that arrived in time counts even if
 * this process was too busy to read it: timers run before network events.
 */
export function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new DeadlineError(`no response within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(late), ms)
    const end = (): void => clearTimeout(timer)
    promise.then(resolve, reject).finally(end)
  })
}
