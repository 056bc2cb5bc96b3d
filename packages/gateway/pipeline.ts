import type { CallerFormat } from '@turnpike/dialects'
import { toGatewayError, type GatewayError } from '@turnpike/protocol'
import { toCallerError } from './answer/caller-error.ts'
import { endWithError, type Ending } from './context/ending.ts'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import { beginRequest, type Held, type Received } from './context/stages.ts'
import { endOfTurn } from './services/end-of-turn.ts'
import { loggable } from './services/loggable.ts'
import { authenticate } from './steps/authenticate.ts'
import { callUpstream } from './steps/call-upstream.ts'
import { chooseModel } from './steps/choose-model.ts'
import { sendResponse } from './steps/send-response.ts'
import { recordHealth } from './steps/record-health.ts'
import { limitRate } from './steps/limit-rate.ts'
import { limitUsage } from './steps/limit-usage.ts'
import { logPrompt, captureExchange } from './steps/log-prompt.ts'
import { parseRequest } from './steps/parse-request.ts'
import { placeHold } from './steps/place-hold.ts'
import { readLeniency } from './steps/read-leniency.ts'
import { readTags } from './steps/read-tags.ts'
import { settle } from './steps/settle.ts'

/**
 * Handles one request in a caller's format, from its head to its last byte. Each step takes the stage that it
 * needs and returns the next one, or throws the error that the caller gets. Every request is settled exactly
 * once, however it ends, and its last bytes are sent only after that.
 */
export async function serve(format: CallerFormat, exchange: Exchange, gateway: Gateway): Promise<void> {
  let request: Received & Partial<Held> = beginRequest(exchange, format)
  let ending: Ending
  try {
    const found = authenticate(request, gateway)
    const authenticated = found instanceof Promise ? await found : found
    request = authenticated // The same object from here on: each step adds to it.
    // Requests that arrive together go on together.
    // The `await` also lets the body arrive: Node hands over what came with the head after it.
    await endOfTurn(exchange.startedAtMonotonicMs)
    captureExchange(authenticated, gateway)
    limitRate(authenticated, gateway)
    // From here on most requests wait only for the vendor. An `await` of a value that is there costs 0.2 µs.
    const parsed = parseRequest(authenticated, gateway)
    const tagged = readLeniency(readTags(parsed instanceof Promise ? await parsed : parsed))
    const limited = limitUsage(chooseModel(tagged, gateway), gateway)
    const held = placeHold(limited instanceof Promise ? await limited : limited, gateway)
    const answer = await callUpstream(held instanceof Promise ? await held : held, gateway)
    const relayed = answer.relay()
    ending = relayed instanceof Promise ? await relayed : relayed
    recordHealth(answer.attempt, ending)
  } catch (thrown) {
    ending = endWithError(toCallerError(logFailure(thrown, request, gateway), request))
  }
  sendResponse(request, await settle(request, ending, gateway), gateway)
  logPrompt(request, gateway)
}

/** Logs what the caller does not see: the caller gets only the part of an error that helps it. */
function logFailure(
  thrown: unknown,
  { exchange, call, operation }: Received & Partial<Held>,
  gateway: Gateway,
): GatewayError {
  const error = toGatewayError(thrown)
  if (error.detail !== undefined) {
    const detail = loggable(error.detail, call && operation.quotable(call.request))
    const fields = { requestId: exchange.requestId, status: error.status, detail }
    const message = loggable(error.message, call && operation.quotable(call.request))
    if (error.status === 500) gateway.log.error(fields, message)
    else gateway.log.warn(fields, message)
  }
  return error
}
