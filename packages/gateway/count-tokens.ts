import {
  parseJson,
  passThroughOf,
  scanObject,
  tokenCount,
  vendorFormats,
  withMembers,
  type CallerFormat,
  type TokenCounting,
} from '@turnpike/dialects'
import { toGatewayError } from '@turnpike/protocol'
import { toCallerError } from './answer/caller-error.ts'
import { profileOf } from './auto/profile.ts'
import type { Candidate } from './candidates/candidate.ts'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import { beginRequest, type Parsed } from './context/stages.ts'
import { inputText } from './operations/rules.ts'
import { refuseReferences } from './outbound/allowed-references.ts'
import { outboundRequest } from './outbound/request.ts'
import { authenticate } from './steps/authenticate.ts'
import { chooseModel } from './steps/choose-model.ts'
import { parseRequest } from './steps/parse-request.ts'
import { collectAnswer } from './upstream/collect-answer.ts'
import { withCredential } from './upstream/credentials/with-credential.ts'

/** The vendor responds with `{"input_tokens": 2095}`. */
const maxAnswerBytes = 16 * 1024
/** Token counts are free, so they must not delay the counts that answers are charged by. */
const mostWaiting = 16
/** After this time the gateway counts by itself. */
const patienceMs = 5_000

/**
 * Serves a request for the number of tokens that a generate request would have. The number comes from the
 * vendor if it speaks the caller's format and has such an endpoint, otherwise from the gateway. Counting is
 * free and has its own rate limit: Claude Code sends some twenty counts at once. No row is kept; only a
 * metric counts them.
 * @param format the format of the requests that are counted
 */
export function countTokens(
  format: CallerFormat,
  counting: TokenCounting,
): (exchange: Exchange, gateway: Gateway) => Promise<void> {
  const counted: CallerFormat = {
    ...format,
    bodyExpected: counting.bodyExpected ?? format.bodyExpected,
    parse: (body, to) => (counting.parse === undefined ? format.parse(body, to) : counting.parse(body, to)),
  }
  return (exchange, gateway) => count(exchange, { format: counted, counting }, gateway)
}

interface Counted {
  format: CallerFormat
  counting: TokenCounting
}

/** @throws {GatewayError} 400 naming the field, 401, 403, 404 for an unknown model, 429 */
async function count(exchange: Exchange, { format, counting }: Counted, gateway: Gateway): Promise<void> {
  const authenticated = await authenticate(beginRequest(exchange, format), gateway)
  const refusal = gateway.limiter.refusalOfCount(authenticated.key)
  if (refusal !== undefined) throw refusal
  let tokens: number
  let vendors: number | undefined
  try {
    const request = await parseRequest(authenticated, gateway)
    vendors = await countOfVendor(request, counting, gateway)
    tokens = vendors ?? (await ownCount(request, gateway))
  } catch (thrown) {
    throw toCallerError(toGatewayError(thrown), authenticated)
  }
  exchange.respond(
    200,
    { 'content-type': 'application/json', ...format.answerHeaders(exchange.requestId) },
    JSON.stringify(counting.formatCount(tokens)),
  )
  gateway.observer.tokensCounted?.(vendors === undefined ? 'gateway' : 'vendor')
}

async function ownCount({ call, operation }: Parsed, gateway: Gateway): Promise<number> {
  const input = operation.texts(call.request)
  return (await gateway.tokens.count(inputText(input), mostWaiting)) + input.mediaTokens
}

/** Undefined if no vendor of this format serves the model, or the vendor fails. */
async function countOfVendor(
  request: Parsed,
  counting: TokenCounting,
  gateway: Gateway,
): Promise<number | undefined> {
  if (profileOf(gateway.catalog.resolveAlias(request.call.request.model)) !== undefined) return undefined
  const { candidates } = chooseModel(request, gateway)
  const { format, key } = request
  const nowMs = performance.now()
  const candidate = candidates.find(
    ({ provider, own, health }) =>
      provider.format === format.name &&
      (provider.style === counting.style || provider.countsTokens === true) &&
      // Do not call a vendor again and again with an account's own key that it rejected.
      (own === undefined || health.state(nowMs, key.accountId) !== 'open'),
  )
  const client = candidate === undefined ? undefined : gateway.clients.get(candidate.provider.name)
  if (candidate === undefined || client === undefined) return undefined
  const outbound = countRequest(request, candidate, counting)
  const timeouts = { ...outbound.timeouts, firstByteMs: patienceMs, totalMs: patienceMs }
  const path = countPath(outbound.path, format.path, counting.path)
  try {
    const made = withCredential({ ...outbound, path, timeouts }, candidate)
    const signed = made instanceof Promise ? await made : made
    if (signed === undefined) return undefined
    const answer = await collectAnswer(client, signed, maxAnswerBytes)
    noteOwnKey(candidate, answer, request, gateway)
    return answer.status === 200 ? countIn(answer.body) : undefined
  } catch (error) {
    gateway.log.warn(
      { requestId: request.exchange.requestId, provider: candidate.provider.name, error: String(error) },
      'a vendor did not count tokens; they are counted here',
    )
    return undefined
  }
}

/** A count affects an own key's health as an answer does: a rejected key goes into cooldown. */
function noteOwnKey(
  { own, health, provider }: Candidate,
  { status, body }: { status: number; body: string },
  { key: { accountId } }: Parsed,
  { ownKeys }: Gateway,
): void {
  if (own === undefined) return
  ownKeys?.noteUse(own)
  if (status === 200) return
  const nowMs = performance.now()
  const error = vendorFormats[provider.format].decodeError({ status, body, retryAfter: undefined })
  if (error.reason !== 'key-refused' && error.reason !== 'out-of-quota') return
  if (error.reason === 'key-refused') ownKeys?.noteRefusal(own)
  const permit = health.tryAcquire(nowMs, accountId)
  if (permit !== undefined)
    health.recordFailure(permit, error, { nowMs, result: `status-${status}`, accountId })
}

function countRequest(
  request: Parsed,
  candidate: Candidate,
  { members: counted }: TokenCounting,
): ReturnType<typeof outboundRequest> {
  const { format, body, members, call } = request
  const vendorFormat = vendorFormats[candidate.provider.format]
  refuseReferences(call.referred, candidate.provider, vendorFormat)
  const sent = passThroughOf(format, vendorFormat)!.spliceRequest({
    body,
    members,
    call,
    model: candidate.upstream.model,
    reasons: false,
    maxOutputTokens: undefined,
    asUnderstood: [],
    quirks: candidate.provider,
  })
  return outboundRequest({ request, candidate }, vendorFormat, onlyMembers(sent, counted))
}

/** Returns the body with only these members. */
function onlyMembers(body: Buffer, names: ReadonlySet<string> | undefined): Buffer {
  if (names === undefined) return body
  const { members } = scanObject(body)
  const others = members.filter(({ key }) => !names.has(key)).map(({ key }) => [key, undefined] as const)
  return withMembers(body, members, new Map(others))
}

/**
 * Replaces the end of the vendor's path for answers, which is the format's own path, by the path for counts.
 */
function countPath(path: string, answering: string, counting: string): string {
  const [before, query] = path.split('?', 2)
  if (before?.endsWith(answering) !== true) return path
  const counted = before.slice(0, -answering.length) + counting
  return query === undefined ? counted : `${counted}?${query}`
}

function countIn(body: string): number | undefined {
  const value = parseJson(body)
  return typeof value === 'object' && value !== null && 'input_tokens' in value
    ? tokenCount(value.input_tokens)
    : undefined
}
