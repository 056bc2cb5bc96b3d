import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestNode, type TestKey, type TestNode } from '../../testing/test-node.ts'
import { object } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { modelOf, styledInput, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { findClaudeCode, resultOf, runClaudeCode, type ClaudeCodeRun } from './claude-code.ts'
import { codingVendor } from './coding-vendor.ts'
import { RecordingProxy } from './recording-proxy.ts'

/** The real Claude Code does tasks through the gateway, with a vendor of each style behind it. */

const program = findClaudeCode()

test.runIf(program === undefined)('Claude Code is not installed', () => {
  console.log('skipped: Claude Code is not in .cache/agents; `npm run agents` brings it and runs this')
})

const usage = { input: 12, cached: 100, output: 40, reasoning: 25 }
const reasoning = { text: 'First write, then „read“.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
const last: ScriptedAnswer = { id: 'last', text: 'The file says „forty-two“.', usage }
const redPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

function bash(id: string, command: string): NonNullable<ScriptedAnswer['calls']>[number] {
  return { id, name: 'Bash', arguments: { command, description: 'Does it' } }
}

describe.runIf(program !== undefined).each(styleNames)(
  'Claude Code, before a vendor of the style %s',
  (style) => {
    let vendor: VendorServer
    let node: TestNode
    let key: TestKey
    let proxy: RecordingProxy
    let project: string
    let home: string
    let turns: ScriptedAnswer[]

    beforeAll(async () => {
      vendor = await startVendorServer({ vendor: codingVendor(() => turns) })
      node = await startTestNode({ input: styledInput(vendor) })
      key = await node.createKey()
    })

    beforeEach(async () => {
      vendor.journal.clear()
      proxy = await RecordingProxy.listen(node.origin)
      project = mkdtempSync(join(tmpdir(), 'turnpike-agent-project-'))
      home = mkdtempSync(join(tmpdir(), 'turnpike-agent-home-'))
    })

    afterEach(async () => {
      await proxy.close()
      rmSync(project, { recursive: true, force: true })
      rmSync(home, { recursive: true, force: true })
    })

    afterAll(async () => {
      await node.stop()
      await vendor.close()
    })

    async function run(prompt: string): Promise<ClaudeCodeRun> {
      const done = await runClaudeCode(program!, {
        origin: proxy.origin,
        token: key.raw,
        model: modelOf(style),
        prompt,
        allowedTools: 'Bash,Read,ToolSearch',
        home,
        project,
      })
      const refused = proxy.exchanges.filter(({ status }) => status !== 200)
      expect(refused.map(({ path, status, answer }) => ({ path, status, answer }))).toEqual([])
      expect(proxy.exchanges.filter(({ answer }) => answer.includes('event: error'))).toEqual([])
      expect(resultOf(done), done.stderr).toEqual({ text: last.text, failed: false })
      expect(done.exitCode).toBe(0)
      return done
    }

    /** The bodies that the vendor got, as text. */
    function asked(): string[] {
      return vendor.journal.entries.map(({ request }) => request.body.toString())
    }

    test('does a task with two tools, which it also calls side by side', async () => {
      const file = join(project, 'answer.txt')
      const read = { id: 'call02abc', name: 'Read', arguments: { file_path: file } }
      turns = [
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
      const bodies = asked()
      expect(bodies).toHaveLength(turns.length)
      expect(bodies[2]).toContain('10 answer.txt')
      expect(bodies[2]).toMatch(/1(?:\\\\t|\\t|→)forty-two/u)
      // What a vendor signed it gets back.
      if (style === 'anthropic' || style === 'google') expect(bodies[2]).toContain(reasoning.signature)
      const result = object(told.findLast(({ type }) => type === 'result')!['usage'])
      expect(result).toMatchObject({ input_tokens: 36, cache_read_input_tokens: 300, output_tokens: 195 })
    })

    test('shows a picture that it has read', async () => {
      writeFileSync(join(project, 'red.png'), Buffer.from(redPicture, 'base64'))
      const read = { id: 'call01png', name: 'Read', arguments: { file_path: join(project, 'red.png') } }
      turns = [{ id: 'first', text: 'I look.', calls: [read], usage }, last]
      await run('What is in red.png?')
      expect(asked()[1]).toContain('iVBORw0KGgo')
    })

    test('goes on after tools that fail, and searches for one', async () => {
      const search = {
        id: 'call02abc',
        name: 'ToolSearch',
        arguments: { query: 'select:WebFetch', max_results: 5 },
      }
      turns = [
        { id: 'first', calls: [bash('call01abc', 'exit 3')], usage },
        { id: 'second', calls: [search], usage },
        last,
      ]
      await run('Fail, then search.')
      expect(asked()[1]).toContain('Exit code 3')
      expect(asked()[2]).toContain('WebFetch')
    })
  },
)
