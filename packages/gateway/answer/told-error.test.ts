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

function told(secret: string, { message = 'no', detail }: { message?: string; detail?: string }) {
  const error = new GatewayError('upstream_error', message, detail === undefined ? {} : { detail })
  return redactError(error, { provider, credential: new KeyCredential(() => secret, null) })
}

describe('what a vendor says of the credential', () => {
  const secret = 'q7Zr0123456789abcdefghijklmnopqrstuvwxyz'

  it('is told to nobody, neither caller nor log', () => {
    const { message, detail } = told(secret, { message: `bad key ${secret}!`, detail: `401: ${secret}` })
    expect([message, detail]).toEqual(['bad key [redacted]!', '401: [redacted]'])
  })

  it('is not told where it stands within JSON, which writes some characters otherwise', () => {
    const odd = 'q7"Zr\\0123456789abcdefghijklmnop'
    const { detail } = told(odd, { detail: `401: ${JSON.stringify({ error: `bad key ${odd}` })}` })
    expect(detail).toBe('401: {"error":"bad key [redacted]"}')
  })

  it('is not told in part where the text was cut', () => {
    for (let length = 8; length < secret.length; length++) {
      const cut = `401: bad key ${secret.slice(0, length)}`
      const { message, detail } = told(secret, { message: cut, detail: cut })
      expect([message, detail]).toEqual(['401: bad key [redacted]', '401: bad key [redacted]'])
    }
  })
})
