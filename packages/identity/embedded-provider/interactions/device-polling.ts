/** The interval between two polls, sent to the device (RFC 8628, section 3.2). */
export const pollIntervalSeconds = 5
/** How much `slow_down` adds to the interval, for this and all later polls (section 3.5). */
const slowDownMs = 5_000
/** A poll that was sent on time may arrive a little early relative to the previous one. */
const toleranceMs = 500
const maxDevices = 20_000

interface Polls {
  lastMs: number
  intervalMs: number
}

/** Detects devices that poll too often; in this node's memory, since it only protects this node. */
export class DevicePolling {
  readonly #polls = new Map<string, Polls>()

  /** Counts a poll. True if it came too early, so that the response must be `slow_down`. */
  isTooEarly(deviceCode: string, nowMs: number): boolean {
    const before = this.#polls.get(deviceCode)
    this.#polls.delete(deviceCode)
    if (this.#polls.size >= maxDevices) this.#polls.clear()
    const isEarly = before !== undefined && nowMs - before.lastMs < before.intervalMs - toleranceMs
    const intervalMs = (before?.intervalMs ?? pollIntervalSeconds * 1000) + (isEarly ? slowDownMs : 0)
    this.#polls.set(deviceCode, { lastMs: nowMs, intervalMs })
    return isEarly
  }
}
