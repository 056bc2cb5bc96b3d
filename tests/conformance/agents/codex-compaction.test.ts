import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { list } from '../vendors/oracle/json.ts'
import { eventScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { findAgent } from './agent-program.ts'
import { AgentWorld } from './agent-world.ts'
import { codex, lastMessage, runCodex } from './codex.ts'

/** The real Codex lets the vendor compact a conversation if it takes the gateway for OpenAI. */

const program = findAgent(codex)
const usage = { input: 12, cached: 0, output: 40, reasoning: 0 }
const last: ScriptedAnswer = { id: 'last', text: 'The file says „forty-two“.', usage }
const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'Y29tcGFjdGVkIGJ5IGl0cyB2ZW5kb3I=' }
const counts = { input_tokens: 20_000, output_tokens: 50, total_tokens: 20_050 }
const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm', error: null }

/** An answer with a single item. */
const streamed: VendorScript = eventScript(
  [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: compaction },
    { type: 'response.output_item.done', output_index: 0, item: compaction },
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', output: [compaction], usage: counts },
    },
  ]
    .map(
      (event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`,
    )
    .join(''),
)

describe.runIf(program !== undefined)('Codex, by the name of OpenAI', () => {
  const world = AgentWorld.of('openai-responses')

  test('has the vendor compact a long conversation, and continues with the result', async () => {
    const { proxy, key, model, home, project } = world
    let turns = 0
    world.turns = (asked) => {
      if (list(asked.body['input']).at(-1)?.['type'] === 'compaction_trigger') return streamed
      const call = { id: 'call01abc', name: 'exec_command', arguments: { cmd: 'echo forty-two' } }
      return turns++ === 0 ? { id: 'first', calls: [call], usage: { ...usage, input: 20_000 } } : last
    }
    const done = await runCodex(program!, {
      origin: proxy.origin,
      token: key.raw,
      model,
      prompt: 'Say forty-two.',
      home,
      project,
      settings: ['model_providers.turnpike.name="OpenAI"', 'model_auto_compact_token_limit=15000'],
    })
    world.expectNoRefusals()
    expect(lastMessage(done)).toBe(last.text)
    const asked = world.asked()
    expect(asked).toHaveLength(3)
    expect(asked[1]).toContain('"compaction_trigger"')
    expect(asked[2]).not.toContain('"compaction_trigger"')
    expect(asked[2]).toContain(compaction.encrypted_content)
  })
})
