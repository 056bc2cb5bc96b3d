import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  startVendorServer,
  type ScriptStep,
  type VendorScript,
  type VendorServer,
} from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestNode, type TestKey, type TestNode } from '../testing/test-node.ts'

/** Much more than all buffers between the vendor and the client hold together. */
const events = 3_000
const charactersAnEvent = 32 * 1024
const completionTokens = 5

describe('a client that reads slowly', () => {
  let vendor: VendorServer
  let node: TestNode
  let key: TestKey

  beforeAll(async () => {
    vendor = await startVendorServer()
    node = await startTestNode({
      input: {
        providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
        models: {
          'vendor/m': { pricing: { prompt: '0', completion: '0.000001' }, max_output_tokens: 50_000_000 },
        },
      },
    })
    key = await node.createKey()
  })
  afterAll(async () => {
    await node.stop()
    await vendor.close()
  })

  it('is not buffered for: its upstream is read no faster than it reads', async () => {
    vendor.next({ script: longAnswer() })
    const socket = await openStream(node, key)
    socket.pause()
    const sent = (): number => vendor.journal.entries.at(-1)!.bytesSent
    let before = -1
    await vi.waitFor(
      () => {
        const now = sent()
        const stopped = now === before
        before = now
        expect(stopped).toBe(true)
      },
      { timeout: 15_000, interval: 500 },
    )
    const whole = events * charactersAnEvent
    expect(sent()).toBeLessThan(whole / 2)
    let read = 0
    let tail = ''
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-200)
    })
    socket.resume()
    await vi.waitFor(() => expect(tail).toContain('data: [DONE]'), { timeout: 30_000 })
    expect(read).toBeGreaterThan(whole)
    socket.destroy()
  }, 60_000)
})

function longAnswer(): VendorScript {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const chunk = (extra: object): string => `data: ${JSON.stringify({ ...head, ...extra })}\n\n`
  const choice = (content: string, finishReason: string | null): object => ({
    choices: [{ index: 0, delta: { content }, finish_reason: finishReason }],
  })
  const bytes = (text: string): ScriptStep => ({ type: 'bytes', bytes: Buffer.from(text), tokens: 0 })
  const event = bytes(chunk(choice('x'.repeat(charactersAnEvent), null)))
  const usage = { prompt_tokens: 1, completion_tokens: completionTokens, total_tokens: 1 + completionTokens }
  const ending = chunk(choice('', 'stop')) + chunk({ choices: [], usage }) + 'data: [DONE]\n\n'
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [{ type: 'head' }, ...Array.from({ length: events }, () => event), bytes(ending), { type: 'end' }],
    bill: undefined,
  }
}

async function openStream(node: TestNode, key: TestKey): Promise<Socket> {
  const socket = connect(Number(new URL(node.origin).port), '127.0.0.1')
  const request = {
    model: 'vendor/m',
    stream: true,
    max_tokens: 1_000_000,
    messages: [{ role: 'user', content: 'x' }],
  }
  const body = JSON.stringify(request)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key.raw}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  return socket
}
