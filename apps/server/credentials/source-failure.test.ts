import { expect, it } from 'vitest'
import { sourceFailure } from './source-failure.ts'

it('does not quote the text that could not be parsed', () => {
  let thrown: unknown
  try {
    JSON.parse('{"SecretAccessKey": "wJalrXUtnFEMI", oops')
  } catch (error) {
    thrown = error
  }
  for (const error of [thrown, new Error((thrown as Error).message)]) {
    const { message, hint } = sourceFailure('aws', error)
    expect(message).toBe('the response is not JSON')
    expect(hint).toMatch(/instead of the credential issuer/)
  }
})

it('is one line, without the parts that differ in each attempt', () => {
  const error = new Error('AADSTS7000215: Invalid client secret. Trace ID: 1 Correlation ID: 2\nTimestamp: 3')
  const { message, hint } = sourceFailure('entra', error)
  expect(message).toBe('AADSTS7000215: Invalid client secret.')
  expect(hint).toMatch(/its value/)
})
