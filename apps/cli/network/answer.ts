import { exitCodes, Failure } from '../failure.ts'
import type { HttpAnswer } from './http-answer.ts'
import { networkFailure } from './network-failure.ts'

const excerptLength = 200

/**
 * A response's JSON.
 * @throws {Failure} the API's error: exit code 1 for 4xx, 3 for 5xx
 */
export async function jsonOf(answer: HttpAnswer, url: string): Promise<unknown> {
  const text = await textOf(answer, url)
  const body = parseJson(text)
  if (answer.ok && body !== undefined) return body
  throw refusal(answer, body, text, url)
}

/** The failure that an error response describes, whatever its body. */
export async function refusalOf(answer: HttpAnswer, url: string): Promise<Failure> {
  const text = await textOf(answer, url)
  return refusal(answer, parseJson(text), text, url)
}

async function textOf(answer: HttpAnswer, url: string): Promise<string> {
  try {
    return await answer.text()
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    throw networkFailure(error, url)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not JSON; undefined is not a JSON value either.
    return undefined
  }
}

function refusal(answer: HttpAnswer, body: unknown, text: string, url: string): Failure {
  const { host } = new URL(url)
  const { status } = answer
  if (status >= 300 && status < 400) {
    return new Failure(`${host} redirects to ${answer.header('location') ?? 'another address'}.`, {
      type: 'invalid_request_error',
      exitCode: exitCodes.user,
      status,
      hint: 'Set TURNPIKE_API_URL to the address it redirects to.',
    })
  }
  const error = errorMember(body)
  const requestId = textMember(error, 'request_id') ?? answer.header('x-request-id')
  if (error !== undefined) {
    return apiFailure(error, status, requestId, { url, retryAfter: answer.header('retry-after') })
  }
  const excerpt = text.trim().slice(0, excerptLength)
  const what = answer.ok ? 'something other than JSON' : `${status}${excerpt === '' ? '' : `: ${excerpt}`}`
  return new Failure(`${host} returned ${what}.`, {
    type: status < 400 || status >= 500 ? 'api_error' : 'invalid_request_error',
    exitCode: exitCodeOf(status),
    status,
    requestId,
  })
}

/** The failure in an error object of the API, from a response or the last event of a stream. */
export function apiFailure(
  error: Record<string, unknown>,
  status: number,
  requestId: string | null,
  { url, retryAfter = null }: { url?: string; retryAfter?: string | null } = {},
): Failure {
  const code = typeof error.code === 'number' ? error.code : status
  const type = textMember(error, 'type') ?? 'api_error'
  const message = textMember(error, 'message') ?? `The server returned status ${code}.`
  const hint = type === 'insufficient_quota' ? quotaHint(error) : hintFor(type, url, retryAfter)
  return new Failure(message, {
    type,
    exitCode: exitCodeOf(code),
    status: code,
    param: textMember(error, 'param'),
    requestId,
    ...(hint !== undefined && { hint }),
  })
}

function exitCodeOf(status: number): 1 | 3 {
  return status >= 400 && status < 500 ? exitCodes.user : exitCodes.server
}

function hintFor(type: string, url: string | undefined, retryAfter: string | null): string | undefined {
  const { pathname = '' } = url === undefined ? {} : new URL(url)
  if (type === 'authentication_error') return /\/api\/v1\//.test(pathname) ? logInHint : newKeyHint
  if (type === 'not_found_error' && /\/me\/keys\//.test(pathname)) return 'List the ids: turnpike keys list'
  if (retryAfter !== null && /^\d+$/.test(retryAfter)) return `Try again in ${retryAfter} s.`
  return undefined
}

/**
 * Budgets, key limits and credit share an error type but need different hints: the metadata distinguish them.
 */
function quotaHint(error: Record<string, unknown>): string {
  const metadata = recordMember(error, 'metadata')
  const budgetId = textMember(recordMember(metadata, 'budget'), 'id')
  if (budgetId !== null) return `Raise it: turnpike budgets update ${budgetId} --limit <usd>`
  if (textMember(metadata, 'reason') === 'key_limit')
    return 'Raise it: turnpike keys update <id> --spend-limit <usd>'
  const richer = textMember(metadata, 'richer_key_id')
  if (richer !== null) return `Use that credit: turnpike keys update <id> --draws-on ${richer}`
  const payer = textMember(metadata, 'key_id')
  return `Add credit: turnpike topup --amount 10${payer === null ? '' : ` --key ${payer}`}`
}

const logInHint = 'Log in: turnpike login'
const newKeyHint = 'Create a new key: turnpike keys create'

function errorMember(body: unknown): Record<string, unknown> | undefined {
  return recordMember(recordOf(body), 'error')
}

function recordMember(
  record: Record<string, unknown> | undefined,
  name: string,
): Record<string, unknown> | undefined {
  return recordOf(record?.[name])
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function textMember(record: Record<string, unknown> | undefined, name: string): string | null {
  const value = record?.[name]
  return typeof value === 'string' ? value : null
}
