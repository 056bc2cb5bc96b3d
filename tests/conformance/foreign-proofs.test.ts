import { describe, expect, test } from 'vitest'
import { scripted } from './sdk-node.ts'
import { modelOf, styledInput, styledVendor, type StyleName } from './vendors/scripted/styled-vendor.ts'
import { suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'

/** Proofs of earlier reasoning belong to the key that got them; another key’s are refused. */

const proof = 'cHJvb2Ygb2YgYW5vdGhlciBrZXk='
const usage = { input: 12, cached: 0, output: 4, reasoning: 0 }

/** Each vendor's refusal. */
const refusals: Partial<Record<StyleName, { status: number; error: object }>> = {
  'openai-responses': {
    status: 400,
    error: {
      message: 'The encrypted content gAAA...DQ== could not be verified.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_encrypted_content',
    },
  },
  anthropic: {
    status: 400,
    error: {
      type: 'invalid_request_error',
      message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    },
  },
  google: {
    status: 400,
    error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' },
  },
}

let isStubborn = false

const vendor = suiteVendor({
  vendor: styledVendor(({ style, body }) => {
    const refusal = refusals[style]
    const isProven = JSON.stringify(body).includes(proof)
    if (refusal !== undefined && (isProven || isStubborn))
      return scripted(refusal.status, { type: 'error', error: refusal.error })
    return { text: 'Yes.', usage }
  }),
})
const node = suiteNode(() => ({ ...styledInput(vendor), billing: { read_on_seconds: 0 } }))
const key = suiteKey(node)

interface Told {
  status: number
  text: string
  dropped: string | null
  attempts: string | null
  /** The vendor's requests. */
  sent: string[]
}

async function ask(path: string, body: object): Promise<Told> {
  const before = vendor.journal.entries.length
  const response = await node.postTo(key, path, body)
  return {
    status: response.status,
    text: await response.text(),
    dropped: response.headers.get('x-turnpike-dropped'),
    attempts: response.headers.get('x-turnpike-attempts'),
    sent: vendor.journal.entries.slice(before).map(({ request }) => request.body.toString()),
  }
}

const schema = { type: 'object', properties: { city: { type: 'string' } } }

const ways: Record<string, { path: string; body: object; dropped: string; others: string }> = {
  'Responses, passed through': {
    path: '/v1/responses',
    body: {
      model: modelOf('openai-responses'),
      input: [
        { role: 'user', content: 'How is Bern?' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: proof },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'rainy' },
      ],
    },
    dropped: 'input[1]',
    others: '"fc_1"',
  },
  'Messages, passed through': {
    path: '/v1/messages',
    body: {
      model: modelOf('anthropic'),
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      tools: [{ name: 'weather', input_schema: schema }],
      messages: [
        { role: 'user', content: 'How is Bern?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Let me see.', signature: proof },
            { type: 'tool_use', id: 'c1', name: 'weather', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'rainy' }] },
      ],
    },
    dropped: 'messages.1.content.0',
    others: '"budget_tokens"',
  },
  'generateContent, passed through': {
    path: `/v1beta/models/${modelOf('google')}:generateContent`,
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'How is Bern?' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'weather', args: {} }, thoughtSignature: proof }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { it: 'rainy' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }] }],
    },
    dropped: 'contents[1]',
    others: proof,
  },
  ...Object.fromEntries(
    (
      [
        ['openai-responses', 'openai-responses-v1', 'reasoning.encrypted'],
        ['anthropic', 'anthropic-claude-v1', 'reasoning.text'],
        ['google', 'google-gemini-v1', 'reasoning.encrypted'],
      ] as const
    ).map(([style, format, type]) => [
      `chat completions, translated for ${style}`,
      {
        path: '/v1/chat/completions',
        body: {
          model: modelOf(style),
          messages: [
            { role: 'user', content: 'How is Bern?' },
            {
              role: 'assistant',
              content: 'Rainy.',
              reasoning_details: [
                type === 'reasoning.text'
                  ? { type, text: 'Let me see.', signature: proof, format, index: 0 }
                  : { type, data: proof, format, index: 0, id: 'rs_1' },
              ],
            },
            { role: 'user', content: 'Rainy? Sure?' },
          ],
        },
        dropped: 'messages[1].reasoning_details',
        others: proof,
      },
    ]),
  ),
}

describe.each(Object.keys(ways))('%s', (name) => {
  const { path, body, dropped, others } = ways[name]!

  test.each([false, true])('omits proofs that are invalid there, streamed: %s', async (stream) => {
    const google = path.includes(':')
    const asked = await ask(
      stream && google ? `${path.replace(':generate', ':streamGenerate')}?alt=sse` : path,
      google ? body : { ...body, stream },
    )
    expect(asked).toMatchObject({ status: 200, dropped, attempts: expect.stringMatching(/^2;/) as string })
    const [first, second, ...more] = asked.sent
    expect([first!.includes(proof), second!.includes(proof), more]).toEqual([true, false, []])
    expect([first!.includes(others), second!.includes(others)]).toEqual([true, false])
    expect(second!.toLowerCase()).toContain('rainy')
    expect(asked.text).toMatch(/Yes\.|"Ye"[^]*"s\."/)
  })

  test('is not called a third time if it refuses even then', async () => {
    isStubborn = true
    const asked = await ask(path, body).finally(() => void (isStubborn = false))
    expect([asked.status, asked.sent.length]).toEqual([400, 2])
    expect(asked.text).toMatch(/could not be verified|Invalid `signature`|Corrupted thought/)
  })
})

test('a refusal is passed on to a caller that sent no proof', async () => {
  isStubborn = true
  const body = { model: modelOf('anthropic'), max_tokens: 50, messages: [{ role: 'user', content: 'x' }] }
  const asked = await ask('/v1/messages', body).finally(() => void (isStubborn = false))
  expect([asked.status, asked.sent.length]).toEqual([400, 1])
})
