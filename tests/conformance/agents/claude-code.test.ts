import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { object } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { styleNames } from '../vendors/scripted/styled-vendor.ts'
import { agentUnderTest } from './agent-under-test.ts'
import { AgentWorld } from './agent-world.ts'
import {
  claudeCode,
  resultOf,
  runClaudeCode,
  type ClaudeCodeOptions,
  type ClaudeCodeRun,
} from './claude-code.ts'

/** The real Claude Code performs tasks through the gateway, in front of a vendor of each style. */

const program = agentUnderTest(claudeCode, 'Claude Code')

const usage = { input: 12, cached: 100, output: 40, reasoning: 25 }
const reasoning = { text: 'First write, then „read“.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
const last: ScriptedAnswer = { id: 'last', text: 'The file says „forty-two“.', usage }
const redPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

const pdf =
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n' +
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n' +
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'

const dropUnsupported = { header: 'x-turnpike-unsupported: drop' }

function bash(id: string, command: string): NonNullable<ScriptedAnswer['calls']>[number] {
  return { id, name: 'Bash', arguments: { command, description: 'Does it' } }
}

describe.runIf(program !== undefined).each(styleNames)('Claude Code, with a vendor of style %s', (style) => {
  const world = AgentWorld.of(style)

  async function run(prompt: string, more: Partial<ClaudeCodeOptions> = {}): Promise<ClaudeCodeRun> {
    const { proxy, key, model, home, project } = world
    const done = await runClaudeCode(program!, {
      origin: proxy.origin,
      token: key.raw,
      model,
      prompt,
      allowedTools: 'Bash,Read,ToolSearch',
      home,
      project,
      ...more,
    })
    world.expectNoRefusals()
    expect(proxy.exchanges.filter(({ answer }) => answer.includes('event: error'))).toEqual([])
    expect(resultOf(done), done.stderr).toEqual({ text: last.text, failed: false })
    expect(done.exitCode).toBe(0)
    return done
  }

  test('does a task with two tools, which it also calls in parallel', async () => {
    const file = join(world.project, 'answer.txt')
    const read = { id: 'call02abc', name: 'Read', arguments: { file_path: file } }
    world.turns = [
      {
        id: 'first',
        reasoning,
        text: 'I write it.',
        calls: [bash('call01abc', 'echo forty-two > answer.txt')],
        usage,
      },
      { id: 'second', reasoning, calls: [read, bash('call03abc', 'wc -c answer.txt')], usage },
      last,
    ]
    const { told } = await run(
      'Write forty-two into answer.txt with Bash, read it with Read, and say what it says.',
    )
    expect(readFileSync(file, 'utf8')).toBe('forty-two\n')
    const bodies = world.asked()
    expect(bodies).toHaveLength(3)
    expect(bodies[2]).toContain('10 answer.txt')
    expect(bodies[2]).toMatch(/1(?:\\\\t|\\t|→)forty-two/u)
    // Signed blocks return to the vendor.
    if (style === 'anthropic' || style === 'google') expect(bodies[2]).toContain(reasoning.signature)
    const result = object(told.findLast(({ type }) => type === 'result')!['usage'])
    expect(result).toMatchObject({ input_tokens: 36, cache_read_input_tokens: 300, output_tokens: 195 })

    await run('And again?', { goesOn: true })
    expect(world.asked().at(-1)).toContain('And again?')
    expect(world.asked().at(-1)).toContain('10 answer.txt')
  })

  test('compacts a conversation, and continues', async () => {
    world.turns = [last]
    await run('Say that the file says forty-two.')
    world.turns = [{ id: 'summary', text: '<summary>It was said: forty-two.</summary>', usage }]
    const { proxy, key, model, home, project } = world
    const { told } = await runClaudeCode(program!, {
      origin: proxy.origin,
      token: key.raw,
      model,
      prompt: '/compact',
      allowedTools: '',
      home,
      project,
      goesOn: true,
    })
    expect(told.find(({ subtype }) => subtype === 'compact_boundary')).toBeDefined()
    world.turns = [last]
    await run('And again?', { goesOn: true })
    expect(world.asked().at(-1)).toContain('It was said: forty-two.')
    expect(world.asked().at(-1)).toContain('And again?')
  })

  test('reads a PDF', async () => {
    writeFileSync(join(world.project, 'paper.pdf'), pdf)
    const read = {
      id: 'call01pdf',
      name: 'Read',
      arguments: { file_path: join(world.project, 'paper.pdf') },
    }
    world.turns = [{ id: 'first', text: 'I look.', calls: [read], usage }, last]
    // With this setting, a model without PDF input is told of the omission: else the session would end.
    const isBlind = style === 'deepseek' || style === 'cohere'
    await run('What is in paper.pdf?', isBlind ? dropUnsupported : {})
    const sent = isBlind ? 'A document was left out here' : Buffer.from(pdf).toString('base64').slice(0, 40)
    expect(world.asked()[1]).toContain(sent)
  })

  test('shows a picture that it has read', async () => {
    writeFileSync(join(world.project, 'red.png'), Buffer.from(redPicture, 'base64'))
    const read = { id: 'call01png', name: 'Read', arguments: { file_path: join(world.project, 'red.png') } }
    world.turns = [{ id: 'first', text: 'I look.', calls: [read], usage }, last]
    // Cohere's models get only text from tools.
    const isBlind = style === 'cohere'
    await run('What is in red.png?', isBlind ? dropUnsupported : {})
    expect(world.asked()[1]).toContain(isBlind ? 'An image was left out here' : 'iVBORw0KGgo')
  })

  test('continues after tools that fail, and searches for one', async () => {
    const search = {
      id: 'call02abc',
      name: 'ToolSearch',
      arguments: { query: 'select:WebFetch', max_results: 5 },
    }
    world.turns = [
      { id: 'first', calls: [bash('call01abc', 'exit 3')], usage },
      { id: 'second', calls: [search], usage },
      last,
    ]
    await run('Fail, then search.')
    expect(world.asked()[1]).toContain('Exit code 3')
    expect(world.asked()[2]).toContain('WebFetch')
  })
})
