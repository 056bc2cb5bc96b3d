import { afterAll, describe, expect, it, vi } from 'vitest'
import { suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'

const events = 8
const text = 'one two three four five six'

interface Chunk {
  choices: { finish_reason: string | null; delta: { content?: string } }[]
  error?: { type: string; code: number; message: string; request_id: string }
}

describe('failing streams', () => {
  const vendor = suiteVendor()
  const node = suiteNode(() => ({
    providers: {
      vendor: { style: 'openai', base_url: vendor.baseUrl(), upstream: { idle_seconds: 1 } },
      patient: { style: 'openai', base_url: vendor.baseUrl() },
      hasty: { style: 'openai', base_url: vendor.baseUrl(), upstream: { total_seconds: 1 } },
      gone: { style: 'openai', base_url: 'http://127.0.0.1:9/v1' },
    },
    models: Object.fromEntries(
      ['vendor/echo', 'patient/echo', 'hasty/echo', 'gone/echo'].map((id) => [
        id,
        { pricing: { prompt: '0.000001', completion: '0.000004' } },
      ]),
    ),
  }))
  const key = suiteKey(node)
  afterAll(async () => {
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })

  async function ask(
    knobs: string,
    model = 'vendor/echo',
  ): Promise<{ response: Response; chunks: Chunk[]; body: string }> {
    const messages = [{ role: 'user', content: `${text} [sandbox: pace=0 ${knobs}]` }]
    const response = await node.chat(key, { model, stream: true, messages })
    const body = await response.text()
    return { response, chunks: chunksOf(body), body }
  }

  it.each(Array.from({ length: events + 1 }, (_, cut) => cut))(
    'cut after %i events end with a status before the first token, or an error event after it',
    async (cut) => {
      const { response, chunks, body } = await ask(`cut=${cut}`)
      if (cut <= 1) {
        expect(response.status).toBe(502)
        expect(JSON.parse(body)).toMatchObject({ error: { type: 'upstream_error', code: 502 } })
        return
      }
      expect(response.status).toBe(200)
      expectFailure(chunks, response)
      expect(body).not.toContain('[DONE]')
      expect(contentOf(chunks)).toBe(
        text
          .split(' ')
          .slice(0, cut - 1)
          .join(' '),
      )
    },
  )

  it('end with an error event after an event that is not JSON', async () => {
    const { response, chunks, body } = await ask('malformed')
    if (response.status === 200) expectFailure(chunks, response)
    else expect(JSON.parse(body)).toMatchObject({ error: { type: 'upstream_error', code: 502 } })
  })

  it('end after the idle timeout if the vendor falls silent within an answer', async () => {
    const { response, chunks } = await ask('stall=3')
    expectFailure(chunks, response, { type: 'upstream_timeout', code: 504 })
    expect(contentOf(chunks)).toBe('one two')
  })

  it('end if the answer takes too long as a whole', async () => {
    const { response, chunks } = await ask('pace=5/s tokens=60', 'hasty/echo')
    expectFailure(chunks, response, { type: 'upstream_timeout', code: 504 })
  })

  it('are refused with 503 and Retry-After if the upstream refuses connections', async () => {
    const { response, body } = await ask('', 'gone/echo')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'service_unavailable' } })
  })

  it("pass on the vendor's Retry-After", async () => {
    const { response } = await ask('error=429 retry_after=7')
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('7')
  })

  it.each([1, 3])('fill silence after %i events with comments', async (stall) => {
    const abort = new AbortController()
    const messages = [{ role: 'user', content: `${text} [sandbox: pace=0 stall=${stall}]` }]
    const response = await node.chat(
      key,
      { model: 'patient/echo', stream: true, messages },
      { signal: abort.signal },
    )
    let body = ''
    for await (const chunk of response.body!) {
      body += Buffer.from(chunk).toString()
      if (body.endsWith(': keep-alive\n\n')) break
    }
    abort.abort()
    expect(body).toMatch(/^(data: \{.*\}\n\n)*: keep-alive\n\n$/)
  })

  it('close the upstream connection as soon as the client leaves', async () => {
    const abort = new AbortController()
    const messages = [{ role: 'user', content: `${text} [sandbox: pace=0 stall=3]` }]
    const label = `left-${Math.random()}`
    const response = await node.chat(
      key,
      { model: 'patient/echo', stream: true, messages, user: label },
      { signal: abort.signal },
    )
    const reader = response.body!.getReader()
    await reader.read()
    abort.abort()
    await vi.waitFor(() => {
      const entry = vendor.journal.entries.find((one) => one.request.body.includes(label))
      expect(entry?.ending).toBe('client-closed')
    }, 20_000)
  })
})

function chunksOf(body: string): Chunk[] {
  return body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Chunk)
}

function contentOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
}

/** Expects that the last event reports the error, and nothing follows it. */
function expectFailure(
  chunks: readonly Chunk[],
  response: Response,
  expected = { type: 'upstream_error', code: 502 },
): void {
  const last = chunks.at(-1)
  expect(last).toMatchObject({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }], error: expected })
  expect(last?.error?.request_id).toBe(response.headers.get('x-request-id'))
  expect(chunks.filter((chunk) => chunk.error !== undefined)).toHaveLength(1)
}
