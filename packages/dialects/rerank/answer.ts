import { GatewayError, type RerankRequest, type Usage } from '@turnpike/protocol'
import { isObject, type JsonObject } from '../json/object.ts'
import { parseJson } from '../json/parse-json.ts'
import { decodeAnswerError } from '../vendor-errors/decode-error.ts'

/** A document's index in the request, and how relevant it is to the query. */
export interface Ranked {
  index: number
  score: number
}

/** A vendor's answer to a rerank request. */
export interface Ranking {
  /** Most relevant first. */
  results: readonly Ranked[]
  /** Undefined: the vendor reported none. */
  usage: Usage | undefined
  /** The whole answer, parsed. */
  raw: JsonObject
}

/** Members in which vendors report an error in place of an answer. */
const tellers = ['error', 'detail', 'errors', 'message']

/**
 * Parses a vendor's answer.
 * @param list the name of the member with the results
 * @throws {GatewayError} the error that the body holds; 502 if it is not a JSON object
 */
export function parseAnswer(body: Buffer, list: string): JsonObject {
  const answer = parseJson(body.toString('utf8'))
  if (!isObject(answer)) throw unusable('it is no JSON object')
  if (answer[list] === undefined && tellers.some((name) => name in answer)) throw decodeAnswerError(answer)
  return answer
}

/**
 * The results of an answer, most relevant first, and no more than requested.
 * @throws {GatewayError} 502 if they do not rank the request's documents
 */
export function parseRanking(list: unknown, { documents, topN = Infinity }: RerankRequest): Ranked[] {
  if (!Array.isArray(list)) throw unusable('there is no list of results')
  const seen = new Set<number>()
  const results = list.map((one: unknown): Ranked => {
    const { index, relevance_score: score } = isObject(one) ? one : {}
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= documents.length)
      throw unusable(`a result that belongs to none of the ${documents.length} documents`)
    if (seen.size === seen.add(index).size) throw unusable(`two results of documents[${index}]`)
    if (typeof score !== 'number' || !Number.isFinite(score)) throw unusable('a result without a score')
    return { index, score }
  })
  if (results.length === 0) throw unusable('there are no results')
  return results.toSorted((a, b) => b.score - a.score).slice(0, topN)
}

/** @param mistake must contain no text of the answer */
export function unusable(mistake: string): GatewayError {
  const message = `The upstream returned an unusable ranking: ${mistake}.`
  return new GatewayError('upstream_error', message)
}
