import type { GatewayError } from '@turnpike/protocol'
import type { Held } from '../context/stages.ts'
import { reasonsToPassOver, type AttemptRecord, type RequestRecord } from '../records/request-record.ts'

/** A header with this many candidates is long enough; the request's row lists all of them. */
const maxListed = 20

const passedOver = new Set<string>(reasonsToPassOver)

/**
 * How many calls a request took and, if that is not the whole story, the result of each candidate: an integer
 * with a parameter (RFC 9651), as in `2;tried="openai/gpt-5 status-429 0.120s, azure/gpt-5 ok 0.9s"`.
 * @param calledAtMs when the last candidate was called, on the monotonic clock
 */
export function attemptsHeader({ attempts }: RequestRecord, calledAtMs: number): string {
  if (attempts.length < 2) return '1'
  const calls = attempts.filter(({ result }) => !passedOver.has(result)).length
  const listed = attempts.slice(0, maxListed).map((attempt) => formatAttempt(attempt, calledAtMs))
  if (attempts.length > maxListed) listed.push(`and ${attempts.length - maxListed} more`)
  return `${calls};tried="${listed.join(', ')}"`
}

/** Adds the attempts to the caller's error. */
export function withAttempts(error: GatewayError, request: Held): GatewayError {
  const { record, attempt } = request
  if (record.attempts.length === 0) return error
  const header = attemptsHeader(record, attempt?.calledAtMs ?? 0)
  return error.with({ headers: { 'x-turnpike-attempts': header } })
}

function formatAttempt(attempt: AttemptRecord, calledAtMs: number): string {
  const { provider, region, model, key, result, durationMs } = attempt
  const of = region === undefined ? provider : `${provider}@${region}`
  const name = `${of}/${model}${key === undefined ? '' : `#${key}`}`
  if (passedOver.has(result)) return `${printable(name)} ${result}`
  // The duration of the answer itself is not yet recorded when its head goes out.
  const tookMs = result === 'ok' && durationMs === 0 ? performance.now() - calledAtMs : durationMs
  return `${printable(name)} ${result} ${(tookMs / 1_000).toFixed(3)}s`
}

/** Keeps the characters that an RFC 9651 string (section 3.3.3) may contain without an escape. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, '?')
}
