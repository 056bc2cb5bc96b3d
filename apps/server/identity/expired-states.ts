const everyMs = 10 * 60 * 1000
/** "Expired" is told apart from "unknown" for so long. */
const keptForMs = 60 * 60 * 1000

/** Removes sign-ins, codes and tokens that expired, now and then, until it is stopped. */
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
