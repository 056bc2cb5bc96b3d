import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { styleNames } from '../vendors/scripted/styled-vendor.ts'
import { agentUnderTest } from './agent-under-test.ts'
import { AgentWorld } from './agent-world.ts'
import { aliasesIn, guideBlock } from './guide-block.ts'
import { endingOf, geminiCli, runGeminiCli, type GeminiCliOptions, type GeminiCliRun } from './gemini-cli.ts'

/** The real Gemini CLI performs tasks through the gateway, in front of a vendor of each style. */

const program = agentUnderTest(geminiCli, 'Gemini CLI')

const usage = { input: 12, cached: 100, output: 40, reasoning: 25 }
const reasoning = { text: 'First write, then „read“.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
const last: ScriptedAnswer = { id: 'last', text: 'The file says „forty-two“.', usage }

function shell(id: string, command: string): NonNullable<ScriptedAnswer['calls']>[number] {
  return { id, name: 'run_shell_command', arguments: { command } }
}

/** The models that it uses by itself, as in the guide. */
const ownNames = aliasesIn(guideBlock('**Gemini CLI** asks', 'yaml', ''))

describe.runIf(program !== undefined).each(styleNames)('Gemini CLI, with a vendor of style %s', (style) => {
  const world = AgentWorld.of(style, ownNames)

  async function run(prompt: string, more: Partial<GeminiCliOptions> = {}): Promise<GeminiCliRun> {
    const { proxy, key, model, home, project } = world
    const options = { origin: proxy.origin, token: key.raw, model, prompt, home, project, ...more }
    const done = await runGeminiCli(program!, options)
    world.expectNoRefusals()
    expect(done.exitCode, done.stderr).toBe(0)
    expect(endingOf(done).said).toContain(last.text)
    expect(endingOf(done).status).toBe('success')
    return done
  }

  test('does a task with two tools, and continues with it', async () => {
    const read = { id: 'call02abc', name: 'read_file', arguments: { file_path: 'answer.txt' } }
    world.turns = [
      {
        id: 'first',
        reasoning,
        text: 'I write it.',
        calls: [shell('call01abc', 'echo forty-two > answer.txt')],
        usage,
      },
      { id: 'second', reasoning, calls: [read, shell('call03abc', 'wc -c answer.txt')], usage },
      last,
    ]
    const { told } = await run('Write forty-two into answer.txt, read it, and say what it says.')
    expect(readFileSync(join(world.project, 'answer.txt'), 'utf8')).toBe('forty-two\n')
    const bodies = world.asked()
    expect(bodies).toHaveLength(3)
    expect(bodies[2]).toContain('10 answer.txt')
    expect(bodies[2]).toContain('forty-two')
    // Signed or encrypted reasoning returns to the vendor.
    if (['anthropic', 'google', 'openai-responses'].includes(style))
      expect(bodies[2]).toContain(reasoning.signature)
    expect(told.findLast(({ type }) => type === 'result')!['stats']).toMatchObject({
      input_tokens: 336,
      cached: 300,
      total_tokens: 531,
    })

    await run('And again?', { goesOn: true })
    expect(world.asked().at(-1)).toContain('And again?')
    expect(world.asked().at(-1)).toContain('10 answer.txt')
  })

  test("uses models that it knows to rate a prompt's difficulty, and to search the web", async () => {
    const judgement = { complexity_reasoning: 'It is a question.', complexity_score: 70 }
    const search = { id: 'call01abc', name: 'google_web_search', arguments: { query: 'the weather' } }
    const answers = [{ id: 'first', calls: [search], usage }, last]
    world.turns = ({ body, rounds }) => {
      const isTold = JSON.stringify(body).includes('run_shell_command')
      return isTold ? answers[rounds]! : { id: 'judged', text: JSON.stringify(judgement), usage }
    }
    const { proxy, key, home, project } = world
    const prompt = 'How will the weather be in Zürich tomorrow, and why?'
    const done = await runGeminiCli(program!, {
      origin: proxy.origin,
      token: key.raw,
      prompt,
      home,
      project,
    })
    expect(endingOf(done), done.stderr).toEqual({ said: last.text, status: 'success' })
    // Only Google runs this search, and it has no price here, so the model is told that it failed.
    const refused = proxy.exchanges.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.includes('googleSearch')])).toEqual([[400, true]])
    expect(world.asked().at(-1)).toContain('googleSearch')
    const [judged] = world.asked()
    expect(judged).toContain('complexity_score')
    // A type in Google's spelling, which other vendors refuse.
    if (style !== 'google') expect(judged).not.toContain('"INTEGER"')
  })
})
