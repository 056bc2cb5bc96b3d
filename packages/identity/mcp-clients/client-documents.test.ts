import { beforeEach, describe, expect, test } from 'vitest'
import { ClientDocuments, type ClientDocument } from './client-documents.ts'

const address = 'https://app.example/oauth/client.json'
const redirect = 'http://127.0.0.1/callback'
const good = {
  client_id: address,
  client_name: 'Claude Code',
  redirect_uris: [redirect],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}
const minuteMs = 60_000

let nowMs: number
let fetched: string[]
let answer: (at: string) => Promise<ClientDocument>
let documents: ClientDocuments

function documentOf(metadata: unknown, more: Partial<ClientDocument> = {}): ClientDocument {
  const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  return { status: 200, contentType: 'application/json', cacheControl: undefined, body, ...more }
}

beforeEach(() => {
  nowMs = 1_000_000
  fetched = []
  answer = async () => documentOf(good)
  documents = new ClientDocuments({
    read: (at) => {
      fetched.push(at)
      return answer(at)
    },
    ownOrigins: ['https://gateway.example'],
    clock: () => nowMs,
  })
})

const find = (at = address, network = '192.0.2.1') => documents.find(at, network)

describe('a client with a document', () => {
  test("is served from its document for as long as the document's server allows", async () => {
    answer = async () => documentOf(good, { cacheControl: 'public, max-age=600' })
    const client = { name: 'Claude Code', redirectUris: [redirect] }
    expect(await Promise.all([find(), find(), find()])).toEqual([client, client, client])
    nowMs += 9 * minuteMs
    await find()
    expect(fetched).toHaveLength(1)
    nowMs += 2 * minuteMs
    await find()
    expect(fetched).toHaveLength(2)
  })

  test('is read again after five minutes at the earliest, and after a day at the latest', async () => {
    for (const [cacheControl, minutes] of [
      ['no-store, max-age=0', 5],
      ['max-age=999999999', 24 * 60],
      [undefined, 60],
    ] as const) {
      answer = async () => documentOf(good, { cacheControl })
      nowMs += 48 * 60 * minuteMs
      await find()
      const before = fetched.length
      nowMs += minutes * minuteMs - 1
      await find()
      expect(fetched).toHaveLength(before)
      nowMs += 1
      await find()
      expect(fetched).toHaveLength(before + 1)
    }
  })

  test('stays valid for a day while its server is unavailable, but not after a 404', async () => {
    await find()
    nowMs += 61 * minuteMs
    answer = () => Promise.reject(new Error('its server takes too long to respond'))
    expect(await find()).toMatchObject({ name: 'Claude Code' })
    nowMs += 2 * minuteMs
    answer = async () => documentOf('', { status: 503 })
    expect(await find()).toMatchObject({ name: 'Claude Code' })
    nowMs += 2 * minuteMs
    answer = async () => documentOf({}, { status: 404 })
    await expect(find()).rejects.toMatchObject({ name: 'ClientRefused' })
    nowMs += 30 * 60 * minuteMs
    answer = () => Promise.reject(new Error('its server takes too long to respond'))
    await expect(find()).rejects.toMatchObject({ name: 'ClientUnreachable' })
  })

  test('is not read again immediately after a failure', async () => {
    answer = () => Promise.reject(new Error('its host is not on the public internet'))
    for (let count = 0; count < 3; count++) await expect(find()).rejects.toThrow('client_id: its host')
    expect(fetched).toHaveLength(1)
    nowMs += minuteMs
    await expect(find()).rejects.toThrow('client_id: its host')
    expect(fetched).toHaveLength(2)
  })

  test.each<[string, unknown, Partial<ClientDocument>]>([
    ['of another client_id', { ...good, client_id: 'https://app.example/other.json' }, {}],
    ['without a client_id', { ...good, client_id: undefined }, {}],
    ['of a client with a secret', { ...good, token_endpoint_auth_method: 'client_secret_basic' }, {}],
    ['of a client with a key', { ...good, token_endpoint_auth_method: 'private_key_jwt' }, {}],
    ['that holds a secret', { ...good, client_secret: 'x' }, {}],
    ['without redirects', { ...good, redirect_uris: [] }, {}],
    ['with a redirect elsewhere', { ...good, redirect_uris: ['http://evil.example/'] }, {}],
    ['with a redirect to us', { ...good, redirect_uris: ['https://gateway.example/dashboard/callback'] }, {}],
    ['that is a page', good, { contentType: 'text/html' }],
    ['of no type', good, { contentType: undefined }],
    ['that is a redirect', good, { status: 302 }],
    ['that is a list', [good], {}],
    ['that is no JSON', '{', {}],
  ])('%s is refused', async (_, metadata, more) => {
    answer = async () => documentOf(metadata, more)
    await expect(find()).rejects.toMatchObject({ name: 'ClientRefused' })
  })

  test.each([
    'https://app.example',
    'https://app.example/',
    'https://app.example/client.json?x',
    'https://app.example/client.json?',
    'https://app.example/client.json#',
    'https://app.example:443/client.json',
    'https://user:x@app.example/client.json',
    'https://app.example/a/%2e%2e/client.json',
    'https://app.example/a\\b',
    'https://app.example/ä',
    'http://app.example/client.json',
  ])('at %s is not asked for', async (at) => {
    await expect(find(at)).rejects.toMatchObject({ name: 'ClientRefused' })
    expect(fetched).toEqual([])
  })
})

describe('reads of documents', () => {
  test('are counted by the network that sends the address', async () => {
    answer = async (at) => documentOf({ ...good, client_id: at })
    const nth = (count: number): string => `https://app.example/${count}.json`
    for (let count = 0; count < 20; count++) await find(nth(count))
    await expect(find(nth(20))).rejects.toMatchObject({ name: 'ClientUnreachable' })
    expect(await find(nth(0))).toMatchObject({ name: 'Claude Code' })
    expect(await find(nth(20), '192.0.2.2')).toMatchObject({ name: 'Claude Code' })
  })

  test('are limited to 20 at a time, and three of one network', async () => {
    const waiting = Promise.withResolvers<ClientDocument>()
    answer = () => waiting.promise
    const nth = (count: number, network: string) => find(`https://app.example/${count}`, network)
    const under = Array.from({ length: 3 }, (_, count) => nth(count, 'slow'))
    await expect(nth(3, 'slow')).rejects.toMatchObject({ name: 'ClientUnreachable' })
    for (let count = 3; count < 20; count++) under.push(nth(count, `${count}`))
    await expect(nth(20, '20')).rejects.toMatchObject({ name: 'ClientUnreachable' })
    expect(fetched).toHaveLength(20)
    waiting.reject(new Error('its server takes too long to respond'))
    expect((await Promise.allSettled(under)).every(({ status }) => status === 'rejected')).toBe(true)
    answer = async (at) => documentOf({ ...good, client_id: at })
    expect(await nth(21, 'slow')).toMatchObject({ name: 'Claude Code' })
  })

  test('leave at most 500 documents in memory', async () => {
    answer = async (at) => documentOf({ ...good, client_id: at })
    for (let count = 0; count <= 500; count++) await find(`https://app.example/${count}`, `${count}`)
    await find('https://app.example/500', 'x')
    expect(fetched).toHaveLength(501)
    await find('https://app.example/0', 'x')
    expect(fetched).toHaveLength(502)
  })
})
