import { beforeAll, describe, expect, test } from 'vitest'
import { issuerAddress, newFakeIssuer, newSigner, type Signer } from '../testing/token-signer.ts'

const header = (kid: string) => ({ alg: 'RS256', kid })
const discovery = `${issuerAddress}/.well-known/openid-configuration`
let first: Signer
let second: Signer

beforeAll(async () => {
  first = await newSigner('RS256', 'first')
  second = await newSigner('RS256', 'second')
})

describe('the keys of a remote issuer', () => {
  test('are fetched once for all simultaneous requests', async () => {
    const fake = newFakeIssuer([first.publicJwk])
    const keys = await Promise.all(Array.from({ length: 50 }, () => fake.issuer.publicKey(header('first'))))
    expect(keys.every((key) => key !== undefined)).toBe(true)
    expect(fake.asked).toEqual([discovery, 'https://keys.example/jwks'])
  })

  test('are fetched again for an unknown key, which the issuer may have made since', async () => {
    const fake = newFakeIssuer([first.publicJwk])
    await fake.issuer.publicKey(header('first'))
    fake.keys.push(second.publicJwk)
    fake.clock.nowMs += 11_000
    expect(await fake.issuer.publicKey(header('second'))).toBeDefined()
    expect(fake.asked).toHaveLength(4)
  })

  test('are fetched at most once in 10 seconds, however many unknown keys arrive', async () => {
    const fake = newFakeIssuer([first.publicJwk])
    await fake.issuer.publicKey(header('first'))
    fake.asked.length = 0
    for (let seconds = 0; seconds < 60; seconds++) {
      fake.clock.nowMs += 1000
      const flood = Array.from({ length: 20 }, (_, index) =>
        fake.issuer.publicKey(header(`unknown ${seconds} ${index}`)),
      )
      expect((await Promise.all(flood)).every((key) => key === undefined)).toBe(true)
    }
    expect(fake.asked.filter((address) => address === discovery)).toHaveLength(6)
  })

  test('are refreshed in the background once they are older than an hour', async () => {
    const fake = newFakeIssuer([first.publicJwk])
    await fake.issuer.publicKey(header('first'))
    fake.clock.nowMs += 3_600_001
    fake.asked.length = 0
    expect(await fake.issuer.publicKey(header('first'))).toBeDefined()
    await expect.poll(() => fake.asked).toHaveLength(2)
  })

  test('stay valid while the issuer is unavailable; only an unknown key is a 503', async () => {
    const fake = newFakeIssuer([first.publicJwk])
    await fake.issuer.publicKey(header('first'))
    fake.isDown = true
    fake.clock.nowMs += 24 * 3_600_000
    expect(await fake.issuer.publicKey(header('first'))).toBeDefined()
    expect((await fake.issuer.endpoints()).tokenEndpoint).toBe(`${issuerAddress}/token`)
    fake.clock.nowMs += 11_000
    await expect(fake.issuer.publicKey(header('second'))).rejects.toMatchObject({ status: 503 })
    expect(fake.errors.length).toBeGreaterThan(0)
    fake.isDown = false
    fake.clock.nowMs += 11_000
    expect(await fake.issuer.publicKey(header('second'))).toBeUndefined()
  })

  test('cause a 503 if they were never fetched, and are requested again later', async () => {
    const fake = newFakeIssuer([first.publicJwk])
    fake.isDown = true
    await expect(fake.issuer.publicKey(header('first'))).rejects.toMatchObject({
      type: 'service_unavailable',
      retryAfterSeconds: 10,
    })
    await expect(fake.issuer.endpoints()).rejects.toMatchObject({ status: 503 })
    expect(fake.asked).toHaveLength(1)
    fake.isDown = false
    fake.clock.nowMs += 11_000
    expect(await fake.issuer.publicKey(header('first'))).toBeDefined()
  })
})

describe('a discovery document is refused', () => {
  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['without keys', { jwks_uri: undefined }],
    ['whose keys are not at https', { jwks_uri: 'http://keys.example/jwks' }],
    ['whose keys are a file', { jwks_uri: 'file:///etc/passwd' }],
    ['whose token endpoint is no address', { token_endpoint: 7 }],
    ['without a token endpoint', { token_endpoint: undefined }],
  ])('%s', async (_, fields) => {
    const fake = newFakeIssuer([first.publicJwk])
    Object.assign(fake.metadata, fields)
    await expect(fake.issuer.publicKey(header('first'))).rejects.toMatchObject({ status: 503 })
    expect(fake.errors).toHaveLength(1)
  })

  test.each([
    ['that is no key set', { keys: 'none' }],
    ['of more than 100 keys', { keys: Array.from({ length: 101 }, () => ({})) }],
    ['that is null', null],
  ])('as are keys %s', async (_, keys) => {
    const fake = newFakeIssuer([first.publicJwk], {})
    const { issuer } = newFakeIssuer([first.publicJwk], {
      fetchJson: (address) => Promise.resolve(address === discovery ? fake.metadata : keys),
    })
    await expect(issuer.publicKey(header('first'))).rejects.toMatchObject({ status: 503 })
  })
})
