import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { suiteKey, suiteNode, suiteServer } from '../../../tests/nodes/suite.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

const client = 3
const server = 2
const error = 2

/** A collector that keeps what it receives, in OTLP's JSON. */
class Collector {
  readonly spans: Span[] = []
  readonly headers: Record<string, unknown>[] = []
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      this.headers.push(request.headers)
      this.#take(Buffer.concat(chunks).toString())
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })

  #take(body: string): void {
    const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    for (const { scopeSpans } of sent.resourceSpans)
      for (const { spans } of scopeSpans) this.spans.push(...spans)
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`
  }

  async close(): Promise<void> {
    this.#server.close()
  }
}

describe('traces', () => {
  const collector = suiteServer(new Collector())
  const node = suiteNode(() => ({
    providers: {
      sandbox: { style: 'sandbox' },
      broken: { style: 'openai', base_url: 'http://127.0.0.1:9/v1' },
    },
    models: {
      'sandbox/either': {
        pricing: { prompt: '0.000001', completion: '0.000001' },
        upstreams: [
          { provider: 'broken', model: 'gone' },
          { provider: 'sandbox', model: 'echo' },
        ],
      },
    },
    telemetry: { traces: { url: collector.url, headers: { 'x-team': 'blue' } } },
  }))
  const key = suiteKey(node)

  const ask = (body: object, headers: Record<string, string> = {}) =>
    node.chat(key, { messages: [{ role: 'user', content: 'a secret' }], ...body }, { headers })

  async function spansOf(requestId: string): Promise<Span[]> {
    return vi.waitFor(
      () => {
        const own = collector.spans.find(({ attributes }) =>
          attributes.some(({ value }) => value['stringValue'] === requestId),
        )
        expect(own).toBeDefined()
        return [own!, ...collector.spans.filter(({ parentSpanId }) => parentSpanId === own!.spanId)]
      },
      { timeout: 10_000 },
    )
  }

  const attribute = (span: Span, name: string): unknown =>
    Object.values(span.attributes.find(({ key: own }) => own === name)?.value ?? {})[0]

  it("contain a request and each attempt, within the caller's trace", async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
    const response = await ask({ model: 'sandbox/either' }, { traceparent })
    expect(response.status).toBe(200)
    const [request, first, second] = await spansOf(response.headers.get('x-request-id')!)
    expect(request).toMatchObject({
      traceId,
      parentSpanId: '00f067aa0ba902b7',
      kind: server,
      name: 'chat sandbox/either',
    })
    expect(attribute(request!, 'gen_ai.response.model')).toBe('sandbox/either')
    expect(Number(attribute(request!, 'gen_ai.usage.input_tokens'))).toBeGreaterThan(0)
    expect(attribute(request!, 'turnpike.outcome')).toBe('completed')
    expect(first).toMatchObject({
      kind: client,
      name: 'chat gone',
      status: { code: error, message: 'connect-failed' },
    })
    expect(attribute(first!, 'error.type')).toBe('connect-failed')
    expect(second).toMatchObject({
      kind: client,
      name: 'chat echo',
      endTimeUnixNano: request!.endTimeUnixNano,
    })
    expect(BigInt(second!.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(first!.endTimeUnixNano))
  })

  it('are started if the caller sends no valid one', async () => {
    const response = await ask({ model: 'sandbox/echo' }, { traceparent: 'nonsense' })
    const [request] = await spansOf(response.headers.get('x-request-id')!)
    expect(request!.parentSpanId ?? '').toBe('')
    expect(request!.traceId).toMatch(/^[0-9a-f]{32}$/)
  })

  it('show how a request failed', async () => {
    const response = await ask({ model: 'sandbox/none' })
    const [request] = await spansOf(response.headers.get('x-request-id')!)
    expect(request!.status).toEqual({ code: error, message: 'not_found_error' })
    expect(Number(attribute(request!, 'http.response.status_code'))).toBe(404)
  })

  it('name the API of a request, and the ids of its response', async () => {
    const messages = [{ role: 'user', content: 'a secret' }]
    const response = await fetch(`${node.baseUrl}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key.raw, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/echo', max_tokens: 9, messages }),
    })
    const { id } = (await response.json()) as { id: string }
    const [request] = await spansOf(response.headers.get('x-request-id')!)
    expect(request!.name).toBe('chat sandbox/echo')
    const names = ['gen_ai.operation.name', 'gen_ai.response.id', 'turnpike.endpoint', 'turnpike.operation']
    expect(names.map((name) => attribute(request!, name))).toEqual(['chat', id, 'messages', 'generate'])
  })

  it('contain no prompt and no key, and are sent with the configured headers', () => {
    const text = JSON.stringify(collector.spans)
    expect(text).not.toContain('a secret')
    expect(text).not.toContain(key.raw)
    expect(collector.headers[0]).toMatchObject({ 'x-team': 'blue' })
  })
})
