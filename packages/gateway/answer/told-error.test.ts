import { GatewayError } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { KeyCredential } from '../upstream/credentials/key-credential.ts'
import { redactError } from './redact-error.ts'

const provider = {
  name: 'one',
  baseUrl: 'https://one.example/v1',
  apiKeys: [],
  headers: {},
} as unknown as Provider

function redactedError(secret: string, { message = 'no', detail }: { message?: string; detail?: string }) {
  const error = new GatewayError('upstream_error', message, detail === undefined ? {} : { detail })
  return redactError(error, { provider, credential: new KeyCredential(() => secret, null) })
}

describe('a credential in a vendor’s error', () => {
  const secret = 'q7Zr0123456789abcdefghijklmnopqrstuvwxyz'

  it('is shown neither to the caller nor in the log', () => {
    const { message, detail } = redactedError(secret, {
      message: `bad key ${secret}!`,
      detail: `401: ${secret}`,
    })
    expect([message, detail]).toEqual(['bad key [redacted]!', '401: [redacted]'])
  })

  it('is redacted within JSON too, which escapes some characters', () => {
    const odd = 'q7"Zr\\0123456789abcdefghijklmnop'
    const { detail } = redactedError(odd, { detail: `401: ${JSON.stringify({ error: `bad key ${odd}` })}` })
    expect(detail).toBe('401: {"error":"bad key [redacted]"}')
  })

  it('is redacted in part if the text was truncated', () => {
    for (let length = 8; length < secret.length; length++) {
      const cut = `401: bad key ${secret.slice(0, length)}`
      const { message, detail } = redactedError(secret, { message: cut, detail: cut })
      expect([message, detail]).toEqual(['401: bad key [redacted]', '401: bad key [redacted]'])
    }
  })
})
