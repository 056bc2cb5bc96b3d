import { converseFrame, invokeFrame } from '@turnpike/simulators/clouds/frames'
import { checkSignature } from '@turnpike/simulators/clouds/signature-check'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startBedrockNode, streamed, told } from './bedrock-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Signed calls to Bedrock, for models whose names must be escaped. */

const accessKeyId = 'AKIDEXAMPLE0TURNPIKE'
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const region = 'eu-central-1'
const messages = [{ role: 'user' as const, content: 'Grüezi' }]

const world = await suiteWorld(
  startBedrockNode(({ base_url }) => {
    const aws = { region, access_key_id: accessKeyId, secret_access_key: secretAccessKey }
    return { providers: { signed: { vendor: 'bedrock', base_url, aws } } }
  }),
)
const openai = new OpenAI({ apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 0 })

/** The request as AWS would see it, rebuilt from what arrived. */
function expectSigned(): void {
  const { request } = world.vendor.journal.entries.at(-1)!
  const scope = `${accessKeyId}/\\d{8}/${region}/bedrock/aws4_request`
  expect(request.headers['authorization']).toMatch(new RegExp(`Credential=${scope},`, 'u'))
  const secretOf = (id: string): string | undefined => (id === accessKeyId ? secretAccessKey : undefined)
  expect(checkSignature(request, secretOf, Date.now())).toBeUndefined()
}

test('a model is called with a signature of what is sent, plain and streamed', async () => {
  const model = 'signed/us.amazon.nova-lite-v1:0'
  const usage = { inputTokens: 1, outputTokens: 1 }
  const message = { role: 'assistant', content: [{ text: 'Hoi' }] }
  world.vendor.next({ script: told(200, { output: { message }, stopReason: 'end_turn', usage }) })
  await openai.chat.completions.create({ model, messages })
  expectSigned()
  const frames = [
    converseFrame('messageStart', { role: 'assistant' }),
    converseFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hoi' } }),
    converseFrame('messageStop', { stopReason: 'end_turn' }),
    converseFrame('metadata', { usage }),
  ]
  world.vendor.next({ script: streamed(...frames) })
  const stream = await openai.chat.completions.create({ model, messages, stream: true })
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  expect(text).toBe('Hoi')
  expectSigned()
})

test('Claude is called with a signature of the body in its envelope', async () => {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage }
  const events = [
    { type: 'message_start', message: head },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hoi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  world.vendor.next({ script: streamed(...events.map(invokeFrame)) })
  const asked = { model: 'signed/us.anthropic.claude-sonnet-4-5-20250929-v1:0', max_tokens: 9, messages }
  expect((await world.claude.messages.stream(asked).finalMessage()).content).toMatchObject([{ text: 'Hoi' }])
  expectSigned()
})
