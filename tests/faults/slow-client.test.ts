import { describe, expect, it, vi } from 'vitest'
import { longAnswer, longAnswerBytes, openStream } from './long-answer.ts'
import { suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'

describe('a client that reads slowly', () => {
  const vendor = suiteVendor()
  const node = suiteNode(() => ({
    providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
    models: {
      'vendor/m': { pricing: { prompt: '0', completion: '0.000001' }, max_output_tokens: 50_000_000 },
    },
  }))
  const key = suiteKey(node)

  it('makes its upstream be read no faster than it reads itself, instead of being buffered for', async () => {
    vendor.next({ script: longAnswer() })
    const socket = await openStream(Number(new URL(node.origin).port), key.raw)
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
    expect(sent()).toBeLessThan(longAnswerBytes / 2)
    let read = 0
    let tail = ''
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-200)
    })
    socket.resume()
    await vi.waitFor(() => expect(tail).toContain('data: [DONE]'), { timeout: 30_000 })
    expect(read).toBeGreaterThan(longAnswerBytes)
    socket.destroy()
  }, 180_000)
})
