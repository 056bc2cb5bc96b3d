/** Between two polls of a device, as the device authorization response says (RFC 8628, section 3.2). */
export const pollIntervalSeconds = 5
/** What `slow_down` adds to the interval, for this and all later polls (section 3.5). */
const slowDownMs = 5_000
/** A poll that was sent in time may arrive a little early, compared with the one before it. */
const toleranceMs = 500
const maxDevices = 20_000

interface Polls {
  lastMs: number
  intervalMs: number
}

/** Notices devices that ask too often. In the memory of this node, since it only protects this node. */
export class DevicePolling {
  readonly #polls = new Map<string, Polls>()

  /** Counts a poll; true where it came too early, so that the answer is `slow_down`. */
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
