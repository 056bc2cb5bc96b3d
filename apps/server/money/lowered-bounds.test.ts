import { parseUsd, formatUsd } from '@turnpike/billing'
import { describe, expect, test } from 'vitest'
import { asAnthropic } from '../../../tests/conformance/vendors/scripted/as-anthropic.ts'
import { asDeepseek, asMistral, asOpenai } from '../../../tests/conformance/vendors/scripted/as-chat.ts'
import { asGoogle } from '../../../tests/conformance/vendors/scripted/as-google.ts'
import { asResponses } from '../../../tests/conformance/vendors/scripted/as-responses.ts'
import {
  plainScript,
  streamScript,
  type ScriptedVendor,
} from '../../../tests/conformance/vendors/scripted/scripted-answer.ts'
import { suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'

/* Agents request 64,000 output tokens whatever they need, and 31,999 of reasoning. */

const pricing = { prompt: '0', completion: '0.00001' }
const creditFor = (tokens: number): string => formatUsd(BigInt(tokens) * parseUsd('0.00001'))
const usage = { input: 12, cached: 0, output: 4, reasoning: 0 }

const vendors: [
  style: 'openai' | 'openai-responses' | 'anthropic' | 'google' | 'mistral' | 'deepseek',
  string,
  ScriptedVendor,
][] = [
  ['openai', 'gpt-5', asOpenai],
  ['openai-responses', 'gpt-5-pro', asResponses],
  ['anthropic', 'claude-sonnet-4-5', asAnthropic],
  ['google', 'gemini-2.5-flash', asGoogle],
  ['mistral', 'magistral-medium-latest', asMistral],
  ['deepseek', 'deepseek-chat', asDeepseek],
]

const vendor = suiteVendor()
const node = suiteNode(() => {
  const base = { anthropic: vendor.baseUrl({}, ''), google: vendor.baseUrl({}, '/v1beta') }
  return {
    providers: Object.fromEntries(
      vendors.map(([style]) => {
        const base_url = style in base ? base[style as keyof typeof base] : vendor.baseUrl()
        return [style, { style, base_url, api_keys: ['sk'] }]
      }),
    ),
    models: Object.fromEntries(
      vendors.map(([style, model]) => [
        `${style}/${model}`,
        { pricing, context_length: 400_000, max_output_tokens: 64_000 },
      ]),
    ),
  }
})

const thinks = {
  '/v1/chat/completions': { reasoning: { max_tokens: 31_999 } },
  '/v1/messages': { thinking: { type: 'enabled', budget_tokens: 31_999 } },
}

interface Asked {
  path: keyof typeof thinks
  style: string
  credit: number
  stream: boolean
}

async function ask({ path, style, credit, stream }: Asked): Promise<{ response: Response; sent: string }> {
  const [, model, says] = vendors.find(([one]) => one === style)!
  const key = await node.createKey({ creditUsd: creditFor(credit) })
  vendor.journal.clear()
  vendor.next({ script: (stream ? streamScript : plainScript)(says, { text: 'Yes.', usage }) })
  const messages = [{ role: 'user', content: 'Well?' }]
  const body = { model: `${style}/${model}`, messages, max_tokens: 64_000, stream, ...thinks[path] }
  const response = await fetch(node.origin + path, {
    method: 'POST',
    headers: { 'x-api-key': key.raw, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
  const sent = vendor.journal.entries.at(-1)?.request.body.toString() ?? ''
  if (sent === '') vendor.director.forgetPlans()
  return { response, sent }
}

const paths = Object.keys(thinks) as (keyof typeof thinks)[]
const pairs = paths.flatMap((path) => vendors.map(([style]) => ({ path, style })))

describe.each(pairs)('64,000 tokens by $path of $style', ({ path, style }) => {
  test.each([true, false])('are lowered to what the credit covers, stream: %s', async (stream) => {
    const { response, sent } = await ask({ path, style, credit: 10_000, stream })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-turnpike-max-output-tokens')).toBe('10000')
    expect(sent).toMatch(/"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens)":10000\b/u)
    expect(sent).not.toMatch(/64000|31999/u)
  })

  test('stay 64,000 if the credit covers them, and get 402 if it covers next to nothing', async () => {
    const covered = await ask({ path, style, credit: 64_000, stream: false })
    expect(covered.response.headers.get('x-turnpike-max-output-tokens')).toBeNull()
    expect(covered.sent).toContain('64000')
    const { response, sent } = await ask({ path, style, credit: 4_000, stream: false })
    expect([response.status, sent]).toEqual([402, ''])
  })
})
