import { GatewayError } from '@turnpike/protocol'

/** Node's socket error codes for a connection that failed or was lost. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * PostgreSQL's codes for a server that cannot serve at the moment: class 08 (connection), 53 (resources), 57P
 * (operator intervention), 25006 (read-only, such as a standby), 3D000 (no such database).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const postgresCodes = /^(?:08...|53...|57P..|25006|3D000)$/

/** Messages of `pg` that have no code. The last two occur when a lost transaction is rolled back. */
const messages = new RegExp(
  '^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout' +
    '|Client has encountered a connection error|Client was closed)',
  'i',
)

const retryAfterSeconds = 1

/** Whether the database could not be reached at all, so that the same call may succeed later. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  // The Unix socket of a server that is down does not exist.
  if (code === 'ENOENT' && syscall === 'connect') return true
  if (typeof code === 'string' && (socketCodes.has(code) || postgresCodes.test(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  return messages.test(error.message)
}

/** The error for the caller: a 503 that says to retry, and reveals nothing about the database. */
function reachableOr503(error: unknown): unknown {
  if (!isUnreachable(error)) return error
  return new GatewayError(
    'service_unavailable',
    'The database cannot be reached at the moment; please retry.',
    {
      cause: error,
      retryAfterSeconds,
      detail: `database: ${String(error)}`,
    },
  )
}

/** Wraps a store so that its calls reject with a 503 if the database is unreachable. */
export function withUnreachableErrors<Store extends object>(store: Store): Store {
  const wrapped: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(store)) {
    wrapped[name] = typeof method === 'function' ? guardMethod(method as Method) : method
  }
  return wrapped as Store
}

type Method = (...parameters: unknown[]) => unknown

function guardMethod(method: Method): Method {
  return (...parameters) => {
    const result = method(...parameters)
    if (result instanceof Promise) return result.catch(rethrow)
    return isIterable(result) ? guardRows(result) : result
  }
}

function rethrow(error: unknown): never {
  throw reachableOr503(error)
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* guardRows(rows: AsyncIterable<unknown>): AsyncIterable<unknown> {
  try {
    yield* rows
  } catch (error) {
    throw reachableOr503(error)
  }
}
