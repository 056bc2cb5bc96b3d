import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { object } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { styleNames } from '../vendors/scripted/styled-vendor.ts'
import { agentUnderTest } from './agent-under-test.ts'
import { AgentWorld } from './agent-world.ts'
import { inTurn } from './coding-vendor.ts'
import { codex, itemsOf, lastMessage, runCodex, type CodexOptions, type CodexRun } from './codex.ts'

/** The real Codex performs tasks through the gateway, in front of a vendor of each style. */

const program = agentUnderTest(codex, 'Codex')

const usage = { input: 12, cached: 100, output: 40, reasoning: 25 }
const reasoning = { text: 'First write, then „read“.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
const last: ScriptedAnswer = { id: 'last', text: 'The file says „forty-two“.', usage }

function command(id: string, cmd: string): NonNullable<ScriptedAnswer['calls']>[number] {
  return { id, name: 'exec_command', arguments: { cmd } }
}

/** A model that Codex knows: it gets `apply_patch` with a grammar, and a search among its tools. */
const known = 'gpt-5.5'
/** Another one, whose tools are an item of the input, and which calls them from a program. */
const newest = 'gpt-6-sol'

describe.runIf(program !== undefined).each(styleNames)('Codex, with a vendor of style %s', (style) => {
  const world = AgentWorld.of(style, [known, newest])

  async function run(prompt: string, more: Partial<CodexOptions> = {}): Promise<CodexRun> {
    const { proxy, key, model, home, project } = world
    const options = { origin: proxy.origin, token: key.raw, model, prompt, home, project, ...more }
    const done = await runCodex(program!, options)
    world.expectNoRefusals()
    expect(done.exitCode, done.stderr).toBe(0)
    expect(lastMessage(done)).toBe(last.text)
    return done
  }

  test('does a task with two tools, and continues with it', async () => {
    world.turns = [
      {
        id: 'first',
        reasoning,
        text: 'I write it.',
        calls: [command('call01abc', 'echo forty-two > answer.txt')],
        usage,
      },
      {
        id: 'second',
        reasoning,
        calls: [command('call02abc', 'cat answer.txt'), command('call03abc', 'wc -c answer.txt')],
        usage,
      },
      last,
    ]
    const done = await run('Write forty-two into answer.txt, read it, and say what it says.')
    expect(readFileSync(join(world.project, 'answer.txt'), 'utf8')).toBe('forty-two\n')
    // Parallel ones end in any order.
    const outputs = itemsOf(done).filter(({ type }) => type === 'command_execution')
    expect(new Set(outputs.map((output) => output['aggregated_output']))).toEqual(
      new Set(['', 'forty-two\n', '10 answer.txt\n']),
    )
    const bodies = world.asked()
    expect(bodies).toHaveLength(3)
    // Signed or encrypted reasoning returns to the vendor.
    if (['anthropic', 'google', 'openai-responses'].includes(style))
      expect(bodies[2]).toContain(reasoning.signature)
    expect(object(done.told.findLast(({ type }) => type === 'turn.completed')!['usage'])).toMatchObject({
      input_tokens: 336,
      cached_input_tokens: 300,
      output_tokens: 195,
    })

    await run('And again?', { goesOn: true })
    expect(world.asked().at(-1)).toContain('And again?')
    expect(world.asked().at(-1)).toContain('10 answer.txt')
  })

  test('searches among its tools and patches a file with a model that it knows', async () => {
    const patch = '*** Begin Patch\n*** Add File: answer.txt\n+forty-two\n*** End Patch'
    const search = { id: 'call01abc', name: 'tool_search', arguments: { query: 'spawn an agent', limit: 3 } }
    const apply = { id: 'call02abc', name: 'apply_patch', arguments: { input: patch } }
    world.turns = inTurn(
      { id: 'first', calls: [search], usage },
      { id: 'second', reasoning, calls: [apply, command('call03abc', 'ls')], usage },
      last,
    )
    const done = await run('Write forty-two into answer.txt.', { model: known })
    expect(readFileSync(join(world.project, 'answer.txt'), 'utf8')).toBe('forty-two\n')
    expect(itemsOf(done).filter(({ type }) => type === 'file_change')).toMatchObject([
      { status: 'completed' },
    ])
    const bodies = world.asked()
    expect(bodies).toHaveLength(3)
    expect(bodies[0]).toContain('begin_patch hunk+ end_patch')
    // Tools that were found may be called from then on.
    const found = style === 'openai-responses' ? '"name":"spawn_agent"' : '"multi_agent_v1__spawn_agent"'
    expect(bodies[0]).not.toContain(found)
    expect(bodies[1]).toContain(found)
    expect(bodies[2]).toContain('Success. Updated the following files')
  })

  test('runs a program of tools with one of the newest models', async () => {
    const input = "text(await tools.exec_command({ cmd: 'echo forty-two > answer.txt; wc -c answer.txt' }))"
    const isOwn = style === 'openai-responses'
    const first = {
      id: 'first',
      calls: [{ id: 'call01abc', name: 'functions__exec', arguments: { input } }],
      usage,
    }
    world.turns = isOwn ? inTurn(last) : inTurn(first, last)
    await run('Write forty-two into answer.txt.', { model: newest })
    const { headers } = world.vendor.journal.entries[0]!.request
    const [asked, answered] = world.asked()
    // For OpenAI itself, a header says so.
    expect(headers['x-openai-internal-codex-responses-lite']).toBe(isOwn ? 'true' : undefined)
    expect(asked!.includes('"type":"additional_tools"')).toBe(isOwn)
    expect(asked).toContain('Run JavaScript code to orchestrate/compose tool calls')
    if (!isOwn) expect(answered).toContain('10 answer.txt')
  })

  test('compacts a long conversation, and continues', async () => {
    const long = { ...usage, input: 20_000 }
    const summary = 'Forty-two was written into answer.txt.'
    world.turns = inTurn(
      { id: 'first', calls: [command('call01abc', 'echo forty-two > answer.txt')], usage: long },
      { id: 'summary', text: summary, usage },
      last,
    )
    await run('Write forty-two into answer.txt.', { settings: ['model_auto_compact_token_limit=15000'] })
    const bodies = world.asked()
    expect(bodies).toHaveLength(3)
    expect(bodies[1]).toContain('Write forty-two into answer.txt.')
    expect(bodies[2]).toContain(summary)
  })
})
