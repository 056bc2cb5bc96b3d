import { describe, expect, test } from 'vitest'
import { eventScript } from '../vendors/scripted/scripted-answer.ts'
import { KeptNode } from './kept-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Vendors report tools that they run in events of their own, of any size and before any text. */

const pieces: Record<string, { type: string; more: (text: string) => object }> = {
  'pictures that are not done': {
    type: 'response.image_generation_call.partial_image',
    more: (text) => ({ partial_image_b64: text }),
  },
  'output of commands': {
    type: 'response.shell_call_output_content.delta',
    more: (text) => ({ delta: { stdout: text } }),
  },
}

const world = await suiteWorld(KeptNode.start(undefined))

describe.each(Object.keys(pieces))('%s', (name) => {
  const { type, more } = pieces[name]!
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [], error: null }
  const sent = [0, 1, 2].map((at) => ({
    type,
    output_index: 0,
    item_id: 'ig_1',
    partial_image_index: at,
    ...more(String(at).repeat(1_500_000)),
  }))
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
  }
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'x_call', id: 'ig_1' } },
    ...sent,
    { type: 'response.output_item.done', output_index: 0, item: { type: 'x_call', id: 'ig_1' } },
    { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
    { type: 'response.output_item.done', output_index: 1, item: message },
    {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        output: [message],
        usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
      },
    },
  ].map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)

  async function asked(path: string, body: object): Promise<string> {
    world.vendor.next({ script: eventScript(events.join('')) })
    const key = await world.node.createKey()
    const answer = await world.node.postTo(key, path, { model: 'house/m', stream: true, ...body })
    expect(answer.status).toBe(200)
    return answer.text()
  }

  test('pass completely', async () => {
    const stream = await asked('/v1/responses', { input: 'A cat.' })
    for (const event of events.slice(1, -1)) expect(stream.includes(event)).toBe(true)
    expect(stream).toContain('event: response.completed')
  })

  test('are not part of an answer in another format', async () => {
    const messages = [{ role: 'user', content: 'A cat.' }]
    for (const [path, body] of [
      ['/v1/chat/completions', { messages }],
      ['/v1/messages', { messages, max_tokens: 100 }],
    ] as const) {
      const stream = await asked(path, body)
      expect(stream).toContain('Done.')
      expect(stream.length).toBeLessThan(10_000)
    }
  })
})
