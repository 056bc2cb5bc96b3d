const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** After each attempt that failed; together 23.6 hours. */
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

/** Either way, so that what failed together does not come back together. */
const jitter = 0.2
/** What a receiver may ask for by `Retry-After`. */
const longestAskedMs = 6 * hourMs

export interface FailedTry {
  /** How often it was tried, this time included. */
  tries: number
  nowMs: number
  /** By when the last attempt must begin. */
  deadlineMs: number
  retryAfterSeconds?: number | undefined
  /** From 0 to 1. */
  random: number
}

/** When a delivery is tried next; undefined: no more. */
export function nextAttemptMs(failed: FailedTry): number | undefined {
  const { tries, nowMs, deadlineMs, retryAfterSeconds = 0, random } = failed
  const delayMs = delaysMs[tries - 1]
  if (delayMs === undefined || nowMs >= deadlineMs) return undefined
  const askedMs = Math.min(retryAfterSeconds * secondMs, longestAskedMs)
  const waitMs = Math.max(delayMs * (1 + jitter * (2 * random - 1)), askedMs)
  return Math.min(Math.ceil(nowMs + waitMs), deadlineMs)
}

/** @param value of the header: seconds, or a date (RFC 9110, section 10.2.3) */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) || atMs <= nowMs ? undefined : Math.ceil((atMs - nowMs) / secondMs)
}
