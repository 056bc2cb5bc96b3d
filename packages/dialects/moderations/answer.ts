import { GatewayError, type ModerateRequest, type Usage } from '@turnpike/protocol'
import { isObject, type JsonObject } from '../json/object.ts'
import { parseJson } from '../json/parse-json.ts'
import { decodeAnswerError } from '../vendor-errors/decode-error.ts'

/** A vendor's answer to a request for a moderation. */
export interface Moderation {
  /** One for each input, in their order; one alone for the parts of one input. */
  results: readonly ModerationResult[]
  /** Undefined: the vendor told none. */
  usage: Usage | undefined
  /** The whole answer, parsed. */
  raw: JsonObject
}

/** As the vendor says it, with its own categories. */
export interface ModerationResult extends JsonObject {
  flagged: boolean
  categories: JsonObject
  category_scores: JsonObject
}

/** Members in which vendors tell of an error where an answer should stand. */
const tellers = ['error', 'detail', 'errors', 'message']

/**
 * `{"id", "model", "results": [{"flagged", "categories", "category_scores"}]}`, of OpenAI and Mistral.
 * @throws {GatewayError} the error that it holds; 502 where it is no moderation of all inputs
 */
export function moderationIn(body: Buffer, request: ModerateRequest): Omit<Moderation, 'usage'> {
  const raw = parseJson(body.toString('utf8'))
  if (!isObject(raw)) throw unusable('it is no JSON object')
  const { results } = raw
  if (results === undefined && tellers.some((name) => name in raw)) throw decodeAnswerError(raw)
  if (!Array.isArray(results)) throw unusable('there is no list of results')
  const expected = request.form === 'parts' ? 1 : request.inputs.length
  if (results.length !== expected) throw unusable(`${results.length} results for ${expected} inputs`)
  return { results: results.map(resultIn), raw }
}

/** Mistral has no `flagged`: an input is, where one of its categories is. */
function resultIn(result: unknown): ModerationResult {
  if (!isObject(result)) throw unusable('a result that is no object')
  const { categories, category_scores: scores, flagged } = result
  if (!isObject(categories) || !isObject(scores)) throw unusable('a result without categories')
  const isFlagged = typeof flagged === 'boolean' ? flagged : Object.values(categories).includes(true)
  return { ...result, flagged: isFlagged, categories, category_scores: scores }
}

/** @param mistake without texts of the answer */
function unusable(mistake: string): GatewayError {
  const message = `The upstream returned an unusable moderation: ${mistake}.`
  return new GatewayError('upstream_error', message)
}
