import { expect, it } from 'vitest'
import type { UpstreamRequest } from '../client.ts'
import { KeyCredential } from './key-credential.ts'
import { keyCredentials } from './key-credentials.ts'
import { noCredential } from './no-credential.ts'
import { withCredential } from './with-credential.ts'

const bearer = { header: 'authorization', prefix: 'Bearer ' }
const plain = { header: 'api-key', prefix: '' }

function request(): UpstreamRequest {
  const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 }
  return { method: 'POST', origin: 'https://v', path: '/', headers: { a: 'b' }, body: null, timeouts }
}

it('is sent in the header that its provider expects, and the headers are reused for the next request', () => {
  const key = new KeyCredential(() => 'sk-1', 1)
  const outbound = request()
  expect(withCredential(outbound, { credential: key, provider: { keyHeader: bearer } })).toBe(outbound)
  expect(outbound.headers).toEqual({ a: 'b', authorization: 'Bearer sk-1' })
  expect(key.headers(outbound, bearer)).toBe(key.headers(outbound, bearer))
  expect(key.headers(outbound, plain)).toEqual({ 'api-key': 'sk-1' })
})

it('changes with the file that contains it, and still hides the previous key', () => {
  let current = 'old-key'
  const key = new KeyCredential(() => current, 1, { source: 'api_key_files' })
  const usedHeaders = key.headers(request(), bearer)
  const refusal = { usedHeaders, errorType: undefined, dateHeader: undefined }
  expect(key.handleRefusal(refusal)).toBe('rest')
  current = 'new-key'
  expect(key.handleRefusal(refusal)).toBe('again')
  expect(key.secrets()).toEqual(['new-key', 'old-key'])
  expect(key.headers(request(), bearer)).toEqual({ authorization: 'Bearer new-key' })
  expect(key.secrets()).toEqual(['new-key', 'old-key'])
  expect(key.state()).toMatchObject({ source: 'api_key_files', state: 'ready', expiresInSeconds: null })
})

it('is absent if the server needs none', async () => {
  const outbound = request()
  void withCredential(outbound, { credential: noCredential, provider: { keyHeader: bearer } })
  expect(outbound.headers).toEqual({ a: 'b' })
  await noCredential.ready(1)
})

it('exists once for each key of a provider, in order, or not at all', () => {
  const found = keyCredentials([
    { name: 'two', apiKeys: ['a', 'b'] },
    { name: 'open', apiKeys: [] },
  ])
  expect(found.get('two')!.map((one) => [one.number, ...one.secrets()])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
  expect(found.get('open')).toEqual([noCredential])
})

it('is awaited if signing is asynchronous, and gives no call if nothing is valid', async () => {
  const outbound = request()
  const provider = { keyHeader: bearer }
  const signature = { ...noCredential, headers: async () => ({ authorization: 'AWS4' }) }
  await expect(withCredential(outbound, { credential: signature, provider })).resolves.toBe(outbound)
  expect(outbound.headers['authorization']).toBe('AWS4')
  const absent = { ...noCredential, headers: () => undefined }
  expect(withCredential(outbound, { credential: absent, provider })).toBeUndefined()
})
