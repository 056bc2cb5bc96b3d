import {
  anthropicMessagesCaller,
  vendorFormats,
  parsed,
  tokenCount,
  type CallerFormat,
} from '@turnpike/dialects'
import { toGatewayError } from '@turnpike/protocol'
import { inCallersWords } from './answer/callers-words.ts'
import { profileOf } from './auto/profile.ts'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import { received, type Parsed } from './context/stages.ts'
import { inputText } from './operations/rules.ts'
import { refuseReferences } from './outbound/allowed-references.ts'
import { outboundRequest } from './outbound/request.ts'
import { authenticate } from './steps/authenticate.ts'
import { chooseModel } from './steps/choose-model.ts'
import { parseRequest } from './steps/parse-request.ts'
import { collected } from './upstream/collected.ts'

/** Where tokens are counted; the same path at the vendor that counts them itself. */
export const countTokensPath = '/v1/messages/count_tokens'

/** A request for a count has no bound of output. */
const format: CallerFormat = {
  ...anthropicMessagesCaller,
  bodyExpected: 'a JSON object with model and messages',
  parse: (body) => anthropicMessagesCaller.parse({ max_tokens: 1, ...body }),
}

/** The vendor's count is `{"input_tokens": 2095}`. */
const maxAnswerBytes = 16 * 1024
/** What nobody pays for does not hold up the counts by which answers are charged. */
const mostWaiting = 16
/** Nobody waits longer for a number that we can reckon ourselves. */
const patienceMs = 5_000

/**
 * `POST /v1/messages/count_tokens` (https://platform.claude.com/docs/en/api/messages-count-tokens): the count
 * of the vendor where it has such an endpoint, else ours. It is free, and has a limit of its own: Claude Code
 * asks for some twenty counts at once. No row is kept of it: it is counted in a metric.
 * @throws {GatewayError} 400 naming the field, 401, 403, 404 for an unknown model, 429
 */
export async function countTokens(exchange: Exchange, gateway: Gateway): Promise<void> {
  const authenticated = await authenticate(received(exchange, format), gateway)
  const refusal = gateway.limiter.refusalOfCount(authenticated.key)
  if (refusal !== undefined) throw refusal
  let tokens: number
  let vendors: number | undefined
  try {
    const request = await parseRequest(authenticated, gateway)
    vendors = await countOfVendor(request, gateway)
    tokens = vendors ?? (await ownCount(request, gateway))
  } catch (thrown) {
    throw inCallersWords(toGatewayError(thrown), authenticated)
  }
  exchange.respond(
    200,
    { 'content-type': 'application/json', ...format.answerHeaders(exchange.requestId) },
    JSON.stringify({ input_tokens: tokens }),
  )
  gateway.observer.tokensCounted?.(vendors === undefined ? 'gateway' : 'vendor')
}

async function ownCount({ call, operation }: Parsed, gateway: Gateway): Promise<number> {
  const input = operation.texts(call.request)
  return (await gateway.tokens.count(inputText(input), mostWaiting)) + input.mediaTokens
}

/** Undefined where no vendor of this format serves the model, or it does not answer. */
async function countOfVendor(request: Parsed, gateway: Gateway): Promise<number | undefined> {
  if (profileOf(gateway.catalog.meant(request.call.request.model)) !== undefined) return undefined
  const { candidates } = chooseModel(request, gateway)
  // Who speaks the format beside another one mostly counts nothing.
  const candidate = candidates.find(
    ({ provider }) => provider.style === 'anthropic' && provider.format === format.name,
  )
  const client = candidate === undefined ? undefined : gateway.clients.get(candidate.provider.name)
  if (candidate === undefined || client === undefined) return undefined
  const vendorFormat = vendorFormats[candidate.provider.format]
  refuseReferences(request.call.referred, candidate.provider, vendorFormat)
  const { body, members, call } = request
  const sent = format.passThrough.spliceRequest({
    body,
    members,
    call,
    model: candidate.upstream.model,
    reasons: false,
    maxOutputTokens: undefined,
    asUnderstood: [],
    quirks: candidate.provider,
  })
  const outbound = outboundRequest({ request, candidate }, vendorFormat, sent)
  const timeouts = { ...outbound.timeouts, firstByteMs: patienceMs, totalMs: patienceMs }
  try {
    const path = outbound.path.replace(/\/v1\/messages(?=\?|$)/, countTokensPath)
    const answer = await collected(client, { ...outbound, path, timeouts }, maxAnswerBytes)
    return answer.status === 200 ? countIn(answer.body) : undefined
  } catch (error) {
    gateway.log.warn(
      { requestId: request.exchange.requestId, provider: candidate.provider.name, error: String(error) },
      'a vendor did not count tokens; they are counted here',
    )
    return undefined
  }
}

function countIn(body: string): number | undefined {
  const value = parsed(body)
  return typeof value === 'object' && value !== null && 'input_tokens' in value
    ? tokenCount(value.input_tokens)
    : undefined
}
