const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The delay after each failed attempt; together 23.6 hours. */
const delaysMs = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  8 * hourMs,
  8 * hourMs,
] as const

/** Deviation in either direction, so that deliveries that failed together are not retried together. */
const jitter = 0.2
/** The longest `Retry-After` of a receiver that is respected. */
const longestAskedMs = 6 * hourMs

export interface FailedTry {
  /** How often the delivery was attempted, this attempt included. */
  tries: number
  nowMs: number
  /** The last attempt must begin by this time. */
  deadlineMs: number
  retryAfterSeconds?: number | undefined
  /** A random number from 0 to 1. */
  random: number
}

/** When a delivery is tried next; undefined if it is given up. */
export function nextAttemptMs(failed: FailedTry): number | undefined {
  const { tries, nowMs, deadlineMs, retryAfterSeconds = 0, random } = failed
  const delayMs = delaysMs[tries - 1]
  if (delayMs === undefined || nowMs >= deadlineMs) return undefined
  const askedMs = Math.min(retryAfterSeconds * secondMs, longestAskedMs)
  const waitMs = Math.max(delayMs * (1 + jitter * (2 * random - 1)), askedMs)
  return Math.min(Math.ceil(nowMs + waitMs), deadlineMs)
}

/** @param value the header's value: seconds, or a date (RFC 9110, section 10.2.3) */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) || atMs <= nowMs ? undefined : Math.ceil((atMs - nowMs) / secondMs)
}
