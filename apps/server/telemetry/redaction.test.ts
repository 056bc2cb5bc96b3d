import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { suiteKey, suiteNode } from '../../../tests/nodes/suite.ts'

const vendorKey = 'sk-vendor-0123456789abcdef'
const plainVendorKey = 'PlainWordsOfAVendorsKey'
const prompt = 'My grandmother’s recipe:\nseven "grey" owls in a jar of vinegar'
const short = 'owls & jars'
const answer = 'An answer that nobody may find in a log.'

/** The vendor's responses, by model. */
const says: Record<string, { status: number; type?: string; body: string }> = {
  'echoes-key': { status: 401, body: `{"error": {"message": "Incorrect API key: ${plainVendorKey}"}}` },
  'echoes-prompt': { status: 400, body: JSON.stringify({ error: { message: `Refused: ${prompt}` } }) },
  'echoes-escaped': {
    status: 500,
    body: JSON.stringify({ detail: escaped(JSON.stringify({ input: prompt })) }),
  },
  'echoes-short': { status: 500, body: `{"error": {"message": "cannot say: ${short}"}}` },
  'echoes-head': {
    status: 429,
    body: `{"error": {"message": "limit of Authorization: Bearer ${vendorKey}"}}`,
  },
  'answers-oddly': { status: 200, body: JSON.stringify({ output: answer }) },
  'answers-badly': { status: 200, body: `{"choices": [{"message": {"content": "${answer}` },
  'streams-badly': { status: 200, type: 'text/event-stream', body: `data: {"oh": "${answer}\n\n` },
  'is-plain': { status: 500, body: '{"error": {"message": "The server had a problem."}}' },
}

function escaped(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const vendor: Server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string }
    const { status, type, body } = says[model]!
    response.writeHead(status, { 'content-type': type ?? 'application/json' }).end(body)
  })
})

describe('the log', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
    return async () => {
      vendor.close()
    }
  })
  const node = suiteNode(() => {
    const base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`
    return {
      providers: {
        odd: { style: 'openai', base_url: base, api_keys: [plainVendorKey] },
        sandbox: { style: 'sandbox' },
      },
      models: Object.fromEntries(
        Object.keys(says).map((name) => [
          `odd/${name}`,
          { pricing: { prompt: '0.000001', completion: '0.000001' }, fallbacks: ['sandbox/echo'] },
        ]),
      ),
      telemetry: { access_log: true },
    }
  })
  const key = suiteKey(node)

  const ask = async (model: string, body: object = {}): Promise<string> => {
    const messages = [
      { role: 'system', content: short },
      { role: 'user', content: prompt },
    ]
    const response = await node.chat(key, { model, messages, ...body })
    await response.text()
    return response.headers.get('x-request-id')!
  }
  const linesOf = (requestId: string) => node.log.filter(({ fields }) => fields['requestId'] === requestId)
  const written = (): string => JSON.stringify(node.log)

  it("contains a failing vendor's message", async () => {
    const [line] = linesOf(await ask('odd/is-plain'))
    expect(line).toMatchObject({
      level: 'warn',
      fields: { provider: 'odd', result: 'status-500', detail: expect.stringContaining('had a problem') },
    })
  })

  it('contains no key, prompt or answer, even if a vendor repeats them', async () => {
    for (const name of Object.keys(says))
      for (const body of [{}, { stream: true }]) await ask(`odd/${name}`, body)
    expect(node.log.filter(({ level }) => level === 'warn').length).toBeGreaterThanOrEqual(12)
    for (const secret of [plainVendorKey, vendorKey, key.raw, answer, answer.slice(10, 30), short])
      expect(written()).not.toContain(secret)
    for (const piece of ['grandmother', 'seven', 'owls', 'vinegar']) expect(written()).not.toContain(piece)
    expect(written()).toContain('withheld')
  })

  it('contains no key that a caller put in the wrong place', async () => {
    const odd = 'sk-turnpike-0123456789abcdefghijklmnop'
    for (const authorization of [odd, `Basic ${odd}`, `Bearer ${odd}`, `Bearer Bearer ${odd}`]) {
      await fetch(`${node.baseUrl}/models`, { headers: { authorization } })
      await fetch(`${node.origin}/api/v1/me`, { headers: { authorization } })
      await fetch(`${node.origin}/api/v1/${odd}?key=${odd}`, { headers: { 'x-internal-secret': odd } })
      await fetch(`${node.baseUrl}/${odd}?key=${odd}`, { method: 'POST', body: odd })
    }
    expect(written()).not.toContain(odd)
  })

  it('has one line per request if the configuration sets it', async () => {
    const id = await ask('sandbox/echo')
    const line = await vi.waitFor(() => {
      const found = linesOf(id).find(({ level }) => level === 'info')
      expect(found).toBeDefined()
      return found!
    }, 20_000)
    expect(line.fields).toMatchObject({
      requestId: id,
      accountId: key.accountId,
      keyId: key.id,
      model: 'sandbox/echo',
      provider: 'sandbox',
      outcome: 'completed',
      status: 200,
      errorType: null,
      costUsd: expect.stringMatching(/^0(\.\d+)?$/),
      attempts: [{ provider: 'sandbox', result: 'ok' }],
    })
    expect(line.fields['tokensIn']).toBeGreaterThan(0)
  })
})

it('a start without its database or Redis reveals no password', async () => {
  const password = 'p4ssw0rd%21of-nobody'
  const reason = await startTestNode({ databaseUrl: `postgres://u:${password}@127.0.0.1:9/turnpike` }).then(
    async (node) => {
      await node.stop()
      return ''
    },
    (error: unknown) => `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)}`,
  )
  expect(reason).not.toContain('p4ssw0rd')
  const node = await startTestNode({ input: { redis: { url: `redis://:${password}@127.0.0.1:9` } } })
  await vi.waitFor(() => expect(node.log.length).toBeGreaterThan(0), 20_000)
  expect(JSON.stringify(node.log)).not.toContain('p4ssw0rd')
  await node.stop()
})
