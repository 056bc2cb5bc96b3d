import type { Gateway } from '../context/gateway.ts'
import { LoggedExchange } from '../context/logged-exchange.ts'
import type { Authenticated, Received } from '../context/stages.ts'

/** From here on, captures the request and its answer if the caller wants them kept. */
export function captureExchange(request: Authenticated, { promptLog }: Gateway): void {
  if (promptLog === undefined || !request.key.logsPrompts) return
  request.seen = promptLog.begin()
  request.exchange = new LoggedExchange(request.exchange, request.seen)
}

/** Keeps what was captured, after the request's last bytes. Never throws. */
export function logPrompt(request: Received & Partial<Authenticated>, { promptLog }: Gateway): void {
  const { seen, record, exchange, format } = request
  if (seen === undefined || record === undefined) return
  // A request that is only counted has no row that the log could belong to.
  if (request.unrecorded === true) return seen.release()
  promptLog?.add(seen, {
    requestId: record.id,
    accountId: record.accountId,
    keyId: record.keyId,
    createdAtMs: record.startedAtMs,
    format: format.name,
    path: exchange.path,
    status: seen.status ?? record.status,
  })
}
