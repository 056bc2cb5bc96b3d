const everyMs = 10 * 60 * 1000
/** How long an expired state is kept, so that it is reported as expired and not as unknown. */
const keptForMs = 60 * 60 * 1000

/** Removes expired sign-ins, codes and tokens at intervals, until it is stopped. */
export function removeExpiredStates(
  store: { removeExpired(beforeMs: number): Promise<void> },
  clock: () => number,
  onError: (error: unknown) => void,
): { stop(): void } {
  const remove = (): void => {
    store.removeExpired(clock() - keptForMs).catch(onError)
  }
  const timer = setInterval(remove, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
