import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { suiteNode, suiteVendor } from '../nodes/suite.ts'
import type { TestKey } from '../nodes/test-node.ts'
import type { Row } from './fault-node.ts'

const patience = { timeout: 30_000, interval: 50 }
/** Lasts longer than the time after which the gateway takes over the connection of a stream, and a tick. */
const lasting = 'delay=1ms pace=3/s tokens=12'
const picture = `data:image/png;base64,${'A'.repeat(100_000)}`

describe('a stream of more than a few seconds', () => {
  const vendor = suiteVendor()
  const node = suiteNode(() => ({
    server: { drain_seconds: 20 },
    providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
    models: {
      'vendor/echo': {
        pricing: { prompt: '0.000001', completion: '0.000004' },
        modalities: { input: ['text', 'image'], output: ['text'] },
      },
    },
  }))
  let key: TestKey
  let client: Socket
  let read = ''

  beforeEach(async () => {
    key = await node.createKey()
    read = ''
    client = connect(Number(new URL(node.origin).port), '127.0.0.1')
    client.on('data', (bytes) => (read += bytes.toString('latin1')))
  })
  afterEach(() => void client.destroy())

  function ask(knobs: string, more: object[] = []): void {
    const content = [{ type: 'text', text: `one two three [sandbox: ${knobs}]` }, ...more]
    const body = JSON.stringify({ model: 'vendor/echo', stream: true, messages: [{ role: 'user', content }] })
    read = ''
    client.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${new URL(node.origin).host}\r\n` +
        `authorization: Bearer ${key.raw}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  }

  const reads = (text: string): Promise<void> => vi.waitFor(() => expect(read).toContain(text), patience)

  /** The memory that bodies occupy, from the node's metrics. */
  async function bodyBytes(): Promise<number> {
    const text = await (await node.metrics()).text()
    return Number(/^turnpike_request_bodies_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)![1])
  }

  async function rows(): Promise<Row[]> {
    const { data } = await node.admin<{ data: Row[] }>(`/accounts/${key.accountId}/usage/requests?days=1`)
    return data
  }

  it('is complete, and its connection accepts the next request', async () => {
    for (const knobs of [lasting, 'pace=0', lasting]) {
      ask(knobs)
      await reads('data: [DONE]')
      await vi.waitFor(() => expect(read.endsWith('\r\n0\r\n\r\n')).toBe(true), patience)
      expect(read.startsWith('HTTP/1.1 200 OK\r\n')).toBe(true)
    }
    await vi.waitFor(async () => {
      const outcomes = (await rows()).map(({ outcome }) => outcome)
      expect(outcomes).toEqual(['completed', 'completed', 'completed'])
    }, patience)
  }, 60_000)

  it("closes the vendor's connection if its client leaves, and charges what was delivered", async () => {
    ask('delay=1ms pace=3/s tokens=200')
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    expect(vendor.openSockets).toBeGreaterThan(0)
    client.destroy()
    await vi.waitFor(
      async () => expect(await rows()).toMatchObject([{ outcome: 'client_closed', status: 499 }]),
      patience,
    )
    await vi.waitFor(
      () => expect(vendor.journal.entries.at(-1)).toMatchObject({ ending: 'client-closed' }),
      patience,
    )
  }, 60_000)

  it('ends with an error event if its vendor breaks off', async () => {
    ask(`${lasting} cut=10`)
    await reads('"finish_reason":"error"')
    expect(await rows()).toMatchObject([{ outcome: 'upstream_cut' }])
  }, 60_000)

  it('frees the memory of its pictures, however it ends', async () => {
    for (const end of ['[DONE]', 'a client that leaves', '"finish_reason":"error"']) {
      ask(end.startsWith('"') ? `${lasting} cut=10` : lasting, [
        { type: 'image_url', image_url: { url: picture } },
      ])
      await reads('data: {')
      // The prompt's text must stay, in case it has to be counted because the vendor reports no tokens.
      expect(await bodyBytes()).toBeLessThan(1_000)
      expect(await bodyBytes()).toBeGreaterThan(0)
      if (end.startsWith('a')) {
        await new Promise((resolve) => setTimeout(resolve, 4_000))
        client.destroy()
        client = connect(Number(new URL(node.origin).port), '127.0.0.1')
        client.on('data', (bytes) => (read += bytes.toString('latin1')))
      } else await reads(end)
      await vi.waitFor(async () => expect(await bodyBytes()).toBe(0), patience)
    }
  }, 90_000)

  it('ends before its node does, which then does not wait for idle connections', async () => {
    ask(lasting)
    await new Promise((resolve) => setTimeout(resolve, 3_500))
    const stopped = node.stop()
    await reads('data: [DONE]')
    await stopped
    await vi.waitFor(() => expect(client.readableEnded || client.destroyed).toBe(true), patience)
    await node.start()
  }, 60_000)
})
