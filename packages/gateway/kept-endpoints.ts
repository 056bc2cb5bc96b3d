import { callerFormats, parseJson, type CallerFormat, type KeptFormat } from '@turnpike/dialects'
import type { KnownKey } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import type { KeptAnswers, OpenedAnswer } from './kept/kept-answers.ts'
import { findKey, requireUsable } from './steps/authenticate.ts'
import { isId } from './steps/continue-conversation.ts'

type Endpoint = (exchange: Exchange, gateway: Gateway) => Promise<void>

/** A kept answer, as a path names it. */
interface StoredAnswerRef {
  format: CallerFormat
  kept: KeptFormat
  id: string
}

/** The handlers for kept answers: `…/{id}`, `…/{id}/input_items` and `…/{id}/cancel`. */
export function keptEndpoints(path: string): Record<string, Endpoint> | undefined {
  for (const format of callerFormats) {
    const { kept } = format
    if (kept === undefined || !path.startsWith(`${format.path}/${format.idPrefix}`)) continue
    const [id = '', ...behind] = path.slice(format.path.length + 1).split('/')
    if (!isId(id, format.idPrefix)) continue
    const named = { format, kept, id }
    switch (behind.join('/')) {
      case '':
        return behind.length > 0 ? undefined : answerEndpoints(named)
      case 'input_items':
        return reading((exchange, gateway) => listInput(named, exchange, gateway))
      case 'cancel':
        return { POST: (exchange, gateway) => cancel(named, exchange, gateway) }
    }
  }
  return undefined
}

/** As the error for an unknown path lists them. */
export const keptPaths: readonly string[] = callerFormats
  .filter(({ kept }) => kept !== undefined)
  .flatMap(({ path }) => [`${path}/{id}`, `${path}/{id}/input_items`])

function answerEndpoints(named: StoredAnswerRef): Record<string, Endpoint> {
  return {
    ...reading((exchange, gateway) => retrieve(named, exchange, gateway)),
    DELETE: (exchange, gateway) => remove(named, exchange, gateway),
  }
}

/** For HEAD, the transport that implements `Exchange` omits the body. */
function reading(endpoint: Endpoint): Record<string, Endpoint> {
  return { GET: endpoint, HEAD: endpoint }
}

async function retrieve(
  { kept, id, format }: StoredAnswerRef,
  exchange: Exchange,
  gateway: Gateway,
): Promise<void> {
  const { key, answers } = await admitReader(exchange, gateway)
  kept.requireReadable(new URLSearchParams(exchange.query))
  const found = await findKept(answers, { key, id, exchange }, gateway)
  respond(exchange, format, found.answer)
}

async function listInput(
  { kept, id, format }: StoredAnswerRef,
  exchange: Exchange,
  gateway: Gateway,
): Promise<void> {
  const { key, answers } = await admitReader(exchange, gateway)
  const { input } = await findKept(answers, { key, id, exchange }, gateway)
  const items = parseJson(input.toString('utf8'))
  const page = kept.formatInput(id, Array.isArray(items) ? items : [], new URLSearchParams(exchange.query))
  respond(exchange, format, JSON.stringify(page))
}

async function remove(
  { kept, id, format }: StoredAnswerRef,
  exchange: Exchange,
  gateway: Gateway,
): Promise<void> {
  const { key, answers } = await admitReader(exchange, gateway)
  if (!(await answers.drop(key, id))) throw noSuchAnswer(id)
  respond(exchange, format, JSON.stringify(kept.formatDeleted(id)))
}

/** @throws {GatewayError} always: answers are complete once they are kept, so there is nothing to cancel */
async function cancel({ id }: StoredAnswerRef, exchange: Exchange, gateway: Gateway): Promise<void> {
  const { key, answers } = await admitReader(exchange, gateway)
  await findKept(answers, { key, id, exchange }, gateway)
  throw invalidRequest(
    undefined,
    'Only responses created in the background can be cancelled. This one is complete.',
  )
}

interface Asking {
  key: KnownKey
  id: string
  exchange: Exchange
}

/**
 * Loads a kept answer. Its size counts against the key's burst limit as a body's does, since sending or
 * searching it takes as long.
 * @throws {GatewayError} 404, also if it belongs to another account, member or project
 */
async function findKept(
  answers: KeptAnswers,
  { key, id, exchange }: Asking,
  { limiter }: Gateway,
): Promise<OpenedAnswer> {
  const found = await answers.find(key, id, exchange)
  if (found === undefined) throw noSuchAnswer(id)
  limiter.weigh(key, found.answer.length + found.input.length)
  return found
}

/**
 * Authenticates the reader of a kept answer. No row is kept and nothing is charged, but the request counts
 * against the key's burst limit.
 * @throws {GatewayError} 401, 403, 404 if this gateway keeps no answers, 429
 */
async function admitReader(
  exchange: Exchange,
  gateway: Gateway,
): Promise<{ key: KnownKey; answers: KeptAnswers }> {
  const key = await findKey(exchange, gateway)
  requireUsable(key, exchange)
  const refusal = gateway.limiter.refusalOfKey(key)
  if (refusal !== undefined) throw refusal.error
  if (gateway.kept === undefined) throw new GatewayError('not_found_error', noAnswersKept)
  return { key, answers: gateway.kept }
}

const noAnswersKept =
  'This gateway does not store responses. Send the whole conversation as input to POST /v1/responses.'

function noSuchAnswer(id: string): GatewayError {
  const message = `Response with id '${id}' not found. It was not stored, was deleted, or has expired.`
  return new GatewayError('not_found_error', message)
}

function respond(exchange: Exchange, format: CallerFormat, body: string | Buffer): void {
  const headers = { 'content-type': 'application/json', ...format.answerHeaders(exchange.requestId) }
  exchange.respond(200, headers, body)
}
