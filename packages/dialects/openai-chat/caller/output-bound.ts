import { invalidRequest } from '@turnpike/protocol'
import {
  furtherBoundFields,
  furtherChoiceFields,
  maxChoices,
  maxOutputBound,
} from '../../requests/output-bounds.ts'
import type { ChatRequest } from './request-schema.ts'

/**
 * The largest output bound in a request; undefined if it has none.
 * @throws {GatewayError} 400 if one of them is not a number of tokens
 */
export function largestOutputBound(body: ChatRequest): number | undefined {
  let largest = body.max_completion_tokens ?? undefined
  if (typeof body.max_tokens === 'number') largest = Math.max(largest ?? 0, body.max_tokens)
  for (const field in body) {
    if (!furtherBoundFields.has(field)) continue
    const bound = (body as Record<string, unknown>)[field]
    if (bound === undefined || bound === null) continue
    if (typeof bound !== 'number' || !Number.isInteger(bound) || bound < 1 || bound > maxOutputBound)
      throw invalidRequest(field, `${field}: expected an integer from 1 to ${maxOutputBound}.`)
    largest = Math.max(largest ?? 0, bound)
  }
  return largest
}

/**
 * Servers that know `best_of` generate and bill that many choices, and return the best `n` of them.
 * @throws {GatewayError} 400 if it is not a number of choices, or if a field other than `n` asks for more of
 * them
 */
export function requireOneNumber(body: object): void {
  for (const name of furtherChoiceFields) {
    const value = (body as Record<string, unknown>)[name]
    if (value !== undefined && value !== null)
      throw invalidRequest(name, `${name}: expected the number of answers in n only.`)
  }
  const { best_of: bestOf } = body as { best_of?: unknown }
  if (bestOf === undefined || bestOf === null) return
  if (typeof bestOf === 'number' && Number.isInteger(bestOf) && bestOf >= 1 && bestOf <= maxChoices) return
  throw invalidRequest('best_of', `best_of: expected an integer from 1 to ${maxChoices}.`)
}
