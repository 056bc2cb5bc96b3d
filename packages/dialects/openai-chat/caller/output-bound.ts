import { invalidRequest } from '@turnpike/protocol'
import { maxOutputBound } from '../../requests/request-fields.ts'
import { maxChoices, type ChatRequest } from './request-schema.ts'

/** OpenAI's two words for a bound of output tokens, of which a vendor is sent one. */
export type OutputBoundField = 'max_completion_tokens' | 'max_tokens'

/**
 * What servers that speak OpenAI's format call it besides: llama.cpp reads `n_predict`, others
 * `max_new_tokens` or `max_output_tokens`. One that passed unseen would be a second bound beside the held
 * one.
 */
const furtherFields: ReadonlySet<string> = new Set([
  'max_output_tokens',
  'max_new_tokens',
  'max_gen_len',
  'max_tokens_to_sample',
  'n_predict',
  'num_predict',
])

/** All members of a request that bound its output. */
export const outputBoundFields: ReadonlySet<string> = new Set([
  'max_completion_tokens',
  'max_tokens',
  ...furtherFields,
])

/**
 * The largest bound that a request names; undefined where it names none.
 * @throws {GatewayError} 400 where one of them is no number of tokens
 */
export function largestOutputBound(body: ChatRequest): number | undefined {
  let largest = body.max_completion_tokens ?? undefined
  if (typeof body.max_tokens === 'number') largest = Math.max(largest ?? 0, body.max_tokens)
  for (const field in body) {
    if (!furtherFields.has(field)) continue
    const bound = (body as Record<string, unknown>)[field]
    if (bound === undefined || bound === null) continue
    if (typeof bound !== 'number' || !Number.isInteger(bound) || bound < 1 || bound > maxOutputBound)
      throw invalidRequest(field, `${field}: expected an integer from 1 to ${maxOutputBound}.`)
    largest = Math.max(largest ?? 0, bound)
  }
  return largest
}

/**
 * Servers that know `best_of` generate and bill so many choices, and give the best `n` of them.
 * @throws {GatewayError} 400 where it is no number of choices
 */
export function requireBestOf(body: object): void {
  const { best_of: bestOf } = body as { best_of?: unknown }
  if (bestOf === undefined || bestOf === null) return
  if (typeof bestOf === 'number' && Number.isInteger(bestOf) && bestOf >= 1 && bestOf <= maxChoices) return
  throw invalidRequest('best_of', `best_of: expected an integer from 1 to ${maxChoices}.`)
}
