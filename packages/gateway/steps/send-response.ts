import { errorHeaders, type GatewayError } from '@turnpike/protocol'
import type { CallerFormat } from '@turnpike/dialects'
import { addCallerLimits, routingHeaders } from '../answer/headers.ts'
import type { Exchange } from '../context/exchange.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held, Received } from '../context/stages.ts'
import type { Settled } from './settle.ts'

/** Sends the last bytes: the end of a stream, a whole plain answer, or an error. */
export function sendResponse(request: Received & Partial<Held>, settled: Settled, gateway: Gateway): void {
  const { exchange, format } = request
  const { ending, usage, costUsd } = settled
  const { tail } = ending
  const cost = { usd: costUsd }
  exchange.listen(undefined)
  switch (tail.kind) {
    case 'answer': {
      // Added one by one: merging objects would take most of this step's time.
      const { headers } = tail
      headers['content-type'] = 'application/json'
      Object.assign(headers, format.answerHeaders(exchange.requestId))
      addCallerLimits(headers, request, gateway)
      headers['x-turnpike-cost'] = costUsd
      return exchange.respond(ending.status, headers, tail.body(usage, cost))
    }
    case 'stream':
      return exchange.endStream(Buffer.from(tail.text(usage, cost), 'latin1'))
    case 'error': {
      const further = { ...routingHeaders(request) }
      addCallerLimits(further, request, gateway)
      return sendError(exchange, format, tail.error, further)
    }
    case 'cut':
      return exchange.cut()
    case 'none':
  }
}

/** Sends an error in the caller's envelope (docs/contract.md, 2). */
export function sendError(
  exchange: Exchange,
  format: CallerFormat,
  error: GatewayError,
  further: Record<string, string> = {},
): void {
  const headers = {
    'content-type': 'application/json',
    ...format.answerHeaders(exchange.requestId),
    ...further,
    ...errorHeaders(error),
  }
  const body = JSON.stringify(format.formatError(error, exchange.requestId))
  exchange.respond(format.errorStatus(error), headers, body)
}
