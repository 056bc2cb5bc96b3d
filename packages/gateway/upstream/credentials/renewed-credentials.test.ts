import { describe, expect, it } from 'vitest'
import type { CredentialHeaders, CredentialRefusal, SignableRequest } from './credential.ts'
import { MintedSecret, type Minted } from './minted-secret.ts'
import { SignatureCredential } from './signature-credential.ts'
import type { AwsKeys } from './sigv4.ts'
import { SkewedClock } from './skewed-clock.ts'
import { TokenCredential } from './token-credential.ts'

const hourMs = 3_600_000

/** A secret with values from the test, one for each mint. */
function secretOf<Value>(values: Value[], secretsOf: (value: Value) => string[]): MintedSecret<Value> {
  const mint = (): Promise<Minted<Value>> => {
    const value = values.shift()
    return value === undefined ? new Promise(() => undefined) : Promise.resolve({ value, livesMs: hourMs })
  }
  return new MintedSecret({ source: 'a test', mint, secretsOf })
}

const refusal = (usedHeaders: CredentialHeaders, dateHeader?: string): CredentialRefusal => ({
  usedHeaders,
  errorType: undefined,
  dateHeader,
})

describe('a token', () => {
  it('that was replaced during a call makes the call repeat, and otherwise is replaced', async () => {
    const minted = secretOf(['one', 'two'], (token) => [token])
    const token = new TokenCredential(minted, 1)
    expect(token.headers()).toBeUndefined()
    await token.ready(1_000)
    const first = token.headers()!
    expect(token.headers()).toBe(first)
    expect(token.handleRefusal(refusal(first))).toBe('rest')
    // A second call with the old one, while the new one is being minted.
    expect([token.headers(), token.handleRefusal(refusal(first))]).toEqual([undefined, 'rest'])
    await token.ready(1_000)
    expect(token.headers()).toEqual({ authorization: 'Bearer two' })
    expect(token.handleRefusal(refusal(first))).toBe('again')
    expect(token.secrets()).toEqual(['two', 'one'])
    expect(token.state()).toMatchObject({
      kind: 'token',
      state: 'ready',
      expiresInSeconds: expect.any(Number),
    })
    minted.close()
  })
})

describe('a signature', () => {
  const call: SignableRequest = { method: 'POST', origin: 'http://a', path: '/x', headers: {}, body: null }
  const keys = (name: string): AwsKeys => ({
    accessKeyId: name,
    secretAccessKey: `of ${name}`,
    sessionToken: name,
  })

  it('with replaced keys makes the call repeat, and so does one made by a wrong clock', async () => {
    const minted = secretOf([keys('A'), keys('B')], ({ secretAccessKey }) => [secretAccessKey])
    const clock = new SkewedClock()
    const region = 'eu-west-1'
    const signed = new SignatureCredential(minted, {
      regionOf: () => region,
      service: 'bedrock',
      clock,
      number: 1,
    })
    expect(signed.headers(call)).toBeUndefined()
    await signed.ready(1_000)
    const first = (await signed.headers(call))!
    expect(first['authorization']).toContain('Credential=A/')
    const inTenMinutes = new Date(Date.now() + 600_000).toUTCString()
    expect(signed.handleRefusal(refusal(first, inTenMinutes))).toBe('again')
    expect(signed.headers(call)).toBeInstanceOf(Promise)
    // The clock is correct now, so the keys are at fault.
    expect(signed.handleRefusal(refusal(first, inTenMinutes))).toBe('rest')
    await signed.ready(1_000)
    expect(signed.handleRefusal(refusal(first))).toBe('again')
    expect((await signed.headers(call))!['x-amz-security-token']).toBe('B')
    minted.close()
  })
})
