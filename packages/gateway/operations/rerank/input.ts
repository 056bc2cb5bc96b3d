import { textsOfDocuments } from '@turnpike/dialects'
import type { RerankRequest } from '@turnpike/protocol'
import { estimateTokens, type Estimate, type InputSeen } from '../rules.ts'

/** Models add a few tokens to each pair of query and document. */
const ownTokens = 32

/** The tokens that a request counts against the limits: the query is read once for each document. */
export function estimate(request: RerankRequest): Estimate {
  return { inputTokens: tokensOf(request, estimateTokens), outputTokens: 0, choices: 0 }
}

/** A token is at least one byte. */
export function mostInputTokens(request: RerankRequest): number {
  return tokensOf(request, (bytes) => bytes + ownTokens)
}

function tokensOf(request: RerankRequest, ofBytes: (bytes: number) => number): number {
  const ofQuery = ofBytes(Buffer.byteLength(request.query))
  let tokens = 0
  for (const text of textsOfDocuments(request)) tokens += ofQuery + ofBytes(Buffer.byteLength(text))
  return tokens
}

/** The texts to count the request's tokens from; the query counts once for each document. */
export function inputSeen(request: RerankRequest): InputSeen {
  const texts = textsOfDocuments(request)
  const further = estimateTokens(Buffer.byteLength(request.query)) * (texts.length - 1)
  return { text: [request.query, ...texts].join('\n'), tools: [], mediaTokens: further }
}

/** Every text of a request that a vendor's error may quote. */
export function* quotable(request: RerankRequest): Generator<string> {
  yield request.query
  for (const document of request.documents) yield* textsIn(document)
}

/** A vendor quotes a value without the JSON that it was sent in. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* textsIn(member)
}
