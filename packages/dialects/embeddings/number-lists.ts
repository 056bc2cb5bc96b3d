import { isObject } from '../json/object.ts'
import { parseJson } from '../json/parse-json.ts'
import { decodeAnswerError } from '../vendor-errors/decode-error.ts'
import { unusable, type Vector } from './answer.ts'

/**
 * Parses an answer that is an object with lists of numbers.
 * @throws {GatewayError} the error that the body holds; 502 if it is not a JSON object
 */
export function parseAnswer(body: Buffer, list: string): Record<string, unknown> {
  const answer = parseJson(body.toString('utf8'))
  if (!isObject(answer)) throw unusable('it is no JSON object')
  if (answer[list] === undefined && ['error', 'message', 'detail'].some((name) => name in answer))
    throw decodeAnswerError(answer)
  return answer
}

/** @throws {GatewayError} 502 if it is not a list of numbers */
export function vectorOf(numbers: unknown): Vector {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every((one) => typeof one === 'number'))
    throw unusable('a vector that is not a list of numbers')
  return { encoding: 'float', text: Buffer.from(JSON.stringify(numbers), 'latin1') }
}
