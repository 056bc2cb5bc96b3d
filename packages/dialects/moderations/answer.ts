import { GatewayError, type ModerateRequest, type Usage } from '@turnpike/protocol'
import { isObject, type JsonObject } from '../json/object.ts'
import { parseJson } from '../json/parse-json.ts'
import { decodeAnswerError } from '../vendor-errors/decode-error.ts'

/** A vendor's answer to a moderation request. */
export interface Moderation {
  /** One per input, in the order of the inputs; a single one for the parts of one input. */
  results: readonly ModerationResult[]
  /** Undefined: the vendor reported none. */
  usage: Usage | undefined
  /** The whole answer, parsed. */
  raw: JsonObject
}

/** As the vendor writes it, with its own categories. */
export interface ModerationResult extends JsonObject {
  flagged: boolean
  categories: JsonObject
  category_scores: JsonObject
}

/** Members in which vendors report an error in place of an answer. */
const tellers = ['error', 'detail', 'errors', 'message']

/**
 * Decodes `{"id", "model", "results": [{"flagged", "categories", "category_scores"}]}` from OpenAI and
 * Mistral.
 * @throws {GatewayError} the error that the body holds; 502 if it does not moderate every input
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

/** Mistral sends no `flagged`: an input is flagged if one of its categories is. */
function resultIn(result: unknown): ModerationResult {
  if (!isObject(result)) throw unusable('a result that is no object')
  const { categories, category_scores: scores, flagged } = result
  if (!isObject(categories) || !isObject(scores)) throw unusable('a result without categories')
  const isFlagged = typeof flagged === 'boolean' ? flagged : Object.values(categories).includes(true)
  return { ...result, flagged: isFlagged, categories, category_scores: scores }
}

/** @param mistake must contain no text of the answer */
function unusable(mistake: string): GatewayError {
  const message = `The upstream returned an unusable moderation: ${mistake}.`
  return new GatewayError('upstream_error', message)
}
