import { exitCodes, Failure } from '../failure.ts'

const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'])
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN'])
const late = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
const untrusted =
  /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$|^ERR_TLS_/
const notTls = /^(EPROTO|ERR_SSL_)/
const broken = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'])

/**
 * Why there was no response, in words.
 * @param timeoutMs set if our own timeout ended it
 */
export function networkFailure(error: unknown, url: string, timeoutMs?: number): Failure {
  const { host, hostname, protocol } = new URL(url)
  const code = codeOf(error)
  const fail = (message: string, hint?: string): Failure =>
    new Failure(message, {
      type: 'network_error',
      exitCode: exitCodes.network,
      cause: error,
      ...(hint !== undefined && { hint }),
    })
  if (timeoutMs !== undefined) return fail(`${host} did not respond within ${timeoutMs / 1000} s.`)
  if (late.has(code)) return fail(`${host} did not respond in time.`)
  if (unresolved.has(code)) return fail(`The name ${hostname} cannot be resolved (${code}).`, setAddress)
  if (unreachable.has(code)) return fail(`Nothing responds at ${protocol}//${host} (${code}).`, setAddress)
  if (untrusted.test(code)) {
    return fail(
      `The certificate of ${host} is not trusted (${code}).`,
      'If it is from your own certificate authority, set NODE_EXTRA_CA_CERTS to its file.',
    )
  }
  if (notTls.test(code)) return fail(`${host} does not speak TLS as expected (${code}).`)
  if (broken.has(code)) return fail(`The connection to ${host} was lost (${code}).`)
  return fail(`The request to ${host} failed: ${reasonOf(error)}.`)
}

const setAddress = 'Is the gateway running? TURNPIKE_API_URL sets its address.'

/** True if the connection broke, so that a retry may well succeed. */
export function isBroken(error: unknown): boolean {
  return error instanceof Failure && error.details.type === 'network_error' && broken.has(codeOf(error.cause))
}

/** `fetch` wraps the cause, and attempts at several addresses have several causes. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return codeOf(error.cause)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
