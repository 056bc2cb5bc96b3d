import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseRequest, type MediaKind } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Exchange, ExchangeListener } from '../context/exchange.ts'
import { mediaSlots } from '../upstream/media/media-slots.ts'
import { fillMedia as withFetched, remoteMedia } from '../operations/generate/remote-media.ts'
import { fetchMedia } from './fetch-media.ts'

const nothing = { readsAddress: () => false }
const imagesOnly = { readsAddress: (kind: MediaKind) => kind === 'image' }
const everything = { readsAddress: () => true }
const anywhere = { allowsAddress: () => true, allowsPort: () => true }
const pdf = Buffer.from('%PDF-1.7')
const places = mediaSlots()

/** The part of an exchange that these tests need. */
class LeavingExchange {
  clientClosed = false
  listener: ExchangeListener | undefined

  listen(listener: ExchangeListener | undefined): void {
    this.listener = listener
  }

  fetchedBytes = 0

  keepFetched(bytes: number): void {
    this.fetchedBytes += bytes
  }

  leave(): void {
    this.clientClosed = true
    this.listener?.onClientClosed()
  }
}

const exchange = (): Exchange & LeavingExchange => new LeavingExchange() as Exchange & LeavingExchange

function request(...messages: unknown[]): ModelRequest {
  return parseRequest({ model: 'm', messages }).request
}

const image = (url: string): object => ({ type: 'image_url', image_url: { url, detail: 'low' } })
const file = (url: string): object => ({ type: 'file', file: { file_data: url, filename: 'x.pdf' } })
const user = (...content: object[]): object => ({ role: 'user', content })

describe('remote media', () => {
  const text = { type: 'text', text: 'see' }

  it('are listed with the caller’s path, each address once', () => {
    const asked = request(
      user(text, image('https://a.test/1'), image('data:image/png;base64,AAAA')),
      { role: 'assistant', content: [text], reasoning_content: 'Hm' },
      user(image('https://a.test/1'), file('https://a.test/2'), file('https://a.test/1')),
    )
    expect(remoteMedia(asked, nothing)).toEqual([
      { url: 'https://a.test/1', kind: 'image', param: 'messages[0].content[1].image_url.url' },
      { url: 'https://a.test/2', kind: 'document', param: 'messages[2].content[1].file.file_data' },
      { url: 'https://a.test/1', kind: 'document', param: 'messages[2].content[2].file.file_data' },
    ])
    expect(remoteMedia(asked, imagesOnly)).toHaveLength(2)
    expect(remoteMedia(asked, everything)).toEqual([])
  })

  it('are limited to sixteen', () => {
    const images = Array.from({ length: 17 }, (_one, index) => image(`https://a.test/${index}`))
    expect(remoteMedia(request(user(...images.slice(0, 16))), nothing)).toHaveLength(16)
    expect(() => remoteMedia(request(user(...images)), nothing)).toThrow(
      expect.objectContaining({ status: 400, param: 'messages[0].content[16].image_url.url' }) as Error,
    )
  })
})

describe('a request with media to fetch', () => {
  let server: Server
  let origin: string
  const asked: string[] = []
  let underWay = 0
  let mostUnderWay = 0

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      const path = incoming.url ?? ''
      asked.push(path)
      if (path === '/silent') return
      mostUnderWay = Math.max(mostUnderWay, ++underWay)
      setTimeout(() => {
        underWay--
        if (path === '/gone') response.writeHead(410).end()
        else if (path === '/x.pdf') response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
        else response.writeHead(200, { 'content-type': 'image/png' }).end(path)
      }, 20)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const filled = (original: ModelRequest, from: Exchange = exchange()): Promise<ModelRequest> =>
    fetchMedia(original, { wanted: remoteMedia(original, nothing), media: { filled: withFetched } }, from, {
      places,
      accountId: 'acct_1',
      rules: anywhere,
    })

  it('gets a copy that contains them, fetched four at a time, and does not change itself', async () => {
    const images = Array.from({ length: 9 }, (_one, index) => image(`${origin}/${index}`))
    const original = request(user(...images, file(`${origin}/x.pdf`), image(`${origin}/0`)))
    const before = structuredClone(original)
    const from = exchange()
    const { messages } = await filled(original, from)
    const source = (path: string): object => ({
      type: 'base64',
      data: Buffer.from(path).toString('base64'),
      format: 'image/png',
    })
    const block = (path: string): object => ({ kind: 'image', source: source(path), detail: 'low' })
    expect(messages[0]!.content).toEqual([
      ...images.map((_one, index) => block(`/${index}`)),
      {
        kind: 'document',
        source: { type: 'base64', data: pdf.toString('base64'), format: 'application/pdf' },
        filename: 'x.pdf',
      },
      block('/0'),
    ])
    expect(asked.toSorted()).toEqual(['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8', '/x.pdf'])
    expect(mostUnderWay).toBe(4)
    expect(original).toEqual(before)
    expect(from.listener).toBeUndefined()
  })

  it('shares its account’s places with the account’s other requests', async () => {
    mostUnderWay = 0
    const requests = Array.from({ length: 12 }, (_one, number) =>
      request(user(...Array.from({ length: 4 }, (_image, index) => image(`${origin}/${number}-${index}`)))),
    )
    for (const { messages } of await Promise.all(requests.map((one) => filled(one))))
      expect(messages[0]!.content).toMatchObject(
        Array.from({ length: 4 }, () => ({ source: { type: 'base64' } })),
      )
    expect(mostUnderWay).toBeLessThanOrEqual(16)
  })

  it('fails if one of them cannot be fetched, without waiting for the others', async () => {
    const original = request(user(image(`${origin}/silent`), image(`${origin}/gone`)))
    const param = 'messages[0].content[1].image_url.url'
    await expect(filled(original)).rejects.toMatchObject({ status: 400, param })
  })

  it('ends if the client leaves meanwhile, or has already left', async () => {
    const from = exchange()
    setTimeout(() => from.leave(), 20)
    const original = request(user(image(`${origin}/silent`)))
    await expect(filled(original, from)).rejects.toMatchObject({ type: 'client_closed_request' })
    const before = asked.length
    await expect(filled(original, from)).rejects.toMatchObject({ type: 'client_closed_request' })
    expect(asked).toHaveLength(before)
  })
})
