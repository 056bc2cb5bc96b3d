import { expect, test } from 'vitest'
import { errorMessageIn } from './error-message.ts'

test.each<[unknown, string | undefined]>([
  [{ error: { message: 'no credit', type: 'insufficient_quota' } }, 'no credit'],
  [{ type: 'error', error: { type: 'api_error', message: 'x'.repeat(2_000) } }, 'x'.repeat(1_000)],
  [{ error: { message: '  ' } }, undefined],
  [{ error: { message: 5 } }, undefined],
  [{ error: 'no' }, undefined],
  [{ error: null }, undefined],
  [JSON.parse('{"__proto__": {"error": {"message": "no"}}}'), undefined],
  ['data: {"error"', undefined],
  [null, undefined],
  [undefined, undefined],
])('errorMessageIn finds the message of %j', (body, message) => expect(errorMessageIn(body)).toBe(message))
