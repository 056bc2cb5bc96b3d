import { createHmac, generateKeyPairSync } from 'node:crypto'
import { exportSPKI, importJWK, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  goodClaims,
  issuerAddress,
  newFakeIssuer,
  newSigner,
  nowMs,
  nowSeconds,
  resource,
  type Signer,
} from '../testing/token-signer.ts'
import { UserTokenVerifier } from './user-token-verifier.ts'

let signers: Record<'RS256' | 'ES256' | 'EdDSA' | 'PS256' | 'ES384', Signer>
let verifier: UserTokenVerifier

beforeAll(async () => {
  const made = await Promise.all(
    ['RS256', 'ES256', 'EdDSA', 'PS256', 'ES384'].map((name) => newSigner(name, name)),
  )
  signers = Object.fromEntries(made.map((signer) => [signer.algorithm, signer])) as typeof signers
  const { issuer } = newFakeIssuer(made.map(({ publicJwk }) => publicJwk))
  verifier = new UserTokenVerifier({ issuer, resource, clock: () => nowMs })
})

describe('a token is accepted', () => {
  test.each(['RS256', 'ES256', 'EdDSA'] as const)('if it is signed with %s', async (algorithm) => {
    const token = await signers[algorithm].sign({
      email: 'Ada@Example.com',
      email_verified: true,
      name: 'Ada',
    })
    expect(await verifier.verify(token)).toEqual({
      subject: 'user-1',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada',
    })
  })

  test.each<[string, JWTPayload]>([
    ['for several audiences', { aud: ['https://other.example', resource] }],
    ['expired 4 seconds ago', { exp: nowSeconds - 4 }],
    ['good in 4 seconds', { nbf: nowSeconds + 4 }],
    ['issued in the future, as a clock may have it', { iat: nowSeconds + 60 }],
  ])('%s', async (_, claims) => {
    expect((await verifier.verify(await signers.RS256.sign(claims))).subject).toBe('user-1')
  })

  test('if its header names no key and only one key fits', async () => {
    expect((await verifier.verify(await signers.ES256.sign({}, { kid: undefined }))).subject).toBe('user-1')
  })
})

describe('unusable profile claims count as absent', () => {
  const nobody = { email: null, emailVerified: false, name: null }
  test.each<[JWTPayload, object]>([
    [{}, nobody],
    [{ email: 7, name: {}, email_verified: true }, nobody],
    [{ email: 'nowhere', name: '  ' }, nobody],
    [{ email: `a@${'b'.repeat(300)}` }, nobody],
    [
      { email: 'a@b.c', email_verified: 'true' },
      { ...nobody, email: 'a@b.c' },
    ],
    [{ name: '🙂'.repeat(200) }, { ...nobody, name: '🙂'.repeat(100) }],
  ])('%j', async (claims, expected) => {
    expect(await verifier.verify(await signers.RS256.sign(claims))).toMatchObject(expected)
  })
})

describe('a token is refused if it is', () => {
  test.each<[string, JWTPayload, RegExp]>([
    ['expired', { exp: nowSeconds - 6 }, /expired/],
    ['without an end', { exp: undefined as unknown as number }, /`exp`/],
    ['early', { nbf: nowSeconds + 6 }, /`nbf`/],
    ['of another issuer', { iss: 'https://evil.example' }, /`iss`/],
    ['of an issuer that begins alike', { iss: `${issuerAddress}/` }, /`iss`/],
    ['for another audience', { aud: 'https://other.example' }, /`aud`/],
    ['for an audience that begins alike', { aud: `${resource}.evil.example` }, /`aud`/],
    ['for no audience', { aud: undefined as unknown as string }, /`aud`/],
    ['without a subject', { sub: undefined as unknown as string }, /`sub`/],
    ['of an empty subject', { sub: '' }, /subject/],
    ['of a subject without end', { sub: 'x'.repeat(256) }, /subject/],
    ['of a subject that is a number', { sub: 7 as unknown as string }, /subject|valid|`sub`/],
    ['of an end that is a text', { exp: 'never' as unknown as number }, /`exp`/],
  ])('%s', async (_, claims, message) => {
    await expect(verifier.verify(await signers.RS256.sign(claims))).rejects.toMatchObject({
      status: 401,
      message: expect.stringMatching(message),
      headers: {
        'www-authenticate': expect.stringMatching(
          /^Bearer error="invalid_token", error_description="[^"]+"$/,
        ),
      },
    })
  })

  test.each<[string, () => Promise<string> | string]>([
    ['unsigned (alg: none)', () => new UnsecuredJWT(goodClaims).encode()],
    ['unsigned, its header naming a key', () => unsigned({ alg: 'none', kid: 'RS256' })],
    ['signed with HS256 and the public key as text', async () => hs256(await publicPem())],
    ['signed with HS256 and the public key as JWK', () => hs256(JSON.stringify(signers.RS256.publicJwk))],
    ['signed with an algorithm that is not taken', () => signers.PS256.sign()],
    ['signed with another algorithm that is not taken', () => signers.ES384.sign()],
    ['by a key that the issuer does not have', async () => (await newSigner('RS256', 'RS256')).sign()],
    ['by an unknown key', async () => (await newSigner('RS256', 'unknown')).sign()],
    ['by a key of another kind than it says', () => signers.RS256.sign({}, { kid: 'ES256' })],
    ['tampered with in its claims', async () => tampered(await signers.RS256.sign(), 1)],
    ['tampered with in its signature', async () => tampered(await signers.RS256.sign(), 2)],
    ['cut short', async () => (await signers.RS256.sign()).slice(0, -40)],
    [
      'critical of what is not known',
      () => `${unsigned({ alg: 'RS256', kid: 'RS256', crit: ['x'], x: 1 })}AAAA`,
    ],
    ['more than 8 KiB', () => signers.RS256.sign({ padding: 'x'.repeat(8 * 1024) })],
    ['no JWT', () => 'abc'],
    ['empty', () => ''],
    ['of three empty parts', () => '..'],
    ['encrypted', () => 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..aaaa.bbbb.cccc'],
  ])('%s', async (_, make) => {
    await expect(verifier.verify(await make())).rejects.toMatchObject({
      type: 'authentication_error',
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('error="invalid_token"') },
    })
  })
})

test('follows no address in a token', async () => {
  const own = await newSigner('RS256', 'own')
  const fake = newFakeIssuer([signers.RS256.publicJwk])
  const strict = new UserTokenVerifier({ issuer: fake.issuer, resource, clock: () => nowMs })
  const token = await own.sign(
    {},
    { jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x', jwk: own.publicJwk },
  )
  await expect(strict.verify(token)).rejects.toMatchObject({ status: 401 })
  expect(fake.asked.every((address) => !address.includes('evil'))).toBe(true)
})

function unsigned(header: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part(goodClaims)}.`
}

async function publicPem(): Promise<string> {
  return exportSPKI((await importJWK(signers.RS256.publicJwk, 'RS256')) as CryptoKey)
}

function hs256(secret: string): string {
  const signed = unsigned({ alg: 'HS256', kid: 'RS256' }).slice(0, -1)
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Changes one character in the middle of a part. */
function tampered(token: string, part: number): string {
  const parts = token.split('.')
  const text = parts[part]!
  const middle = Math.floor(text.length / 2)
  parts[part] = text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1)
  return parts.join('.')
}

test('does not accept a key of 1024 bits', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'short', alg: 'RS256' }
  const weak = new UserTokenVerifier({
    issuer: newFakeIssuer([jwk]).issuer,
    resource,
    clock: () => nowMs,
  })
  const signed = unsigned({ alg: 'RS256', kid: 'short' }).slice(0, -1)
  const { sign } = await import('node:crypto')
  const token = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  await expect(weak.verify(token)).rejects.toMatchObject({ status: 401 })
})
