import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { object } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { modelOf, styledInput } from '../vendors/scripted/styled-vendor.ts'
import { findAgent, runAgent, type AgentPlace, type AgentRun } from './agent-program.ts'
import { claudeCode, resultOf, runClaudeCode } from './claude-code.ts'
import { codex, itemsOf, lastMessage, runCodex } from './codex.ts'
import { codingVendor } from './coding-vendor.ts'
import { signIn } from './mcp-login.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

/** The real agents sign in to the gateway's MCP server, and use its tools. */

const style = 'anthropic'
const usage = { input: 12, cached: 0, output: 5, reasoning: 0 }
const turns: ScriptedAnswer[] = [
  { id: 'first', calls: [{ id: 'call01abc', name: 'mcp__turnpike__balance', arguments: {} }], usage },
  { id: 'last', text: 'You have nothing.', usage },
]

const folders: string[] = []

afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
const vendor = suiteVendor({ vendor: codingVendor(() => turns) })
const node = suiteNode(() => ({
  ...styledInput(vendor),
  server: { port: 0 },
  // A test cannot fetch the agents' published client documents.
  mcp: { client_documents: false },
}))
const key = suiteKey(node)

function newPlace(): AgentPlace {
  const [project, home] = ['project', 'home'].map((name) =>
    mkdtempSync(join(tmpdir(), `turnpike-agent-${name}-`)),
  )
  folders.push(project!, home!)
  return { project: project!, home: home! }
}

function list(program: string, place: AgentPlace): Promise<AgentRun> {
  return runAgent(program, ['mcp', 'list'], place, { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' })
}

const programs = { 'Claude Code': findAgent(claudeCode), Codex: findAgent(codex) }

test.each(Object.entries(programs))('%s', (name, program) => {
  if (program === undefined)
    console.log(`skipped: ${name} is not in .cache/agents; \`npm run agents\` brings it and runs this`)
})

describe.runIf(programs['Claude Code'] !== undefined)('Claude Code', () => {
  const program = programs['Claude Code']!

  test('is told where to sign in, signs in, and calls a tool for its model', async () => {
    const place = newPlace()
    const added = ['mcp', 'add', '--transport', 'http', 'turnpike', `${node.origin}/mcp`]
    expect((await runAgent(program, added, place, {})).exitCode).toBe(0)
    expect((await list(program, place)).stdout).toMatch(/turnpike: .* Needs authentication/)
    const output = await signIn(program, ['mcp', 'login', 'turnpike'], ['usage:read'], place)
    expect(output).toContain('Authenticated with "turnpike"')
    expect((await list(program, place)).stdout).toMatch(/turnpike: .* Connected/)

    const done = await runClaudeCode(program, {
      origin: node.origin,
      token: key.raw,
      model: modelOf(style),
      prompt: 'How much credit do I have? Ask turnpike.',
      allowedTools: 'mcp__turnpike__balance,ToolSearch',
      ...place,
    })
    expect(resultOf(done), done.stderr).toEqual({ text: 'You have nothing.', failed: false })
    const results = JSON.stringify(done.told.filter(({ type }) => object({ type })['type'] === 'user'))
    expect(results).toContain('balance_usd')
    const asked = vendor.journal.entries.map(({ request }) => request.body.toString())
    expect(asked.some((body) => body.includes('mcp__turnpike__balance'))).toBe(true)
  })
})

describe.runIf(programs.Codex !== undefined)('Codex', () => {
  const program = programs.Codex!

  test('signs in when the server is added, and calls a tool for its model', async () => {
    const place = newPlace()
    const output = await signIn(
      program,
      ['mcp', 'add', 'turnpike', '--url', `${node.origin}/mcp`],
      ['usage:read', 'chat'],
      place,
    )
    expect(output).toContain('Successfully logged in')
    expect((await list(program, place)).stdout).toMatch(/turnpike .*enabled .*OAuth/)

    const done = await runCodex(program, {
      origin: node.origin,
      token: key.raw,
      model: modelOf(style),
      prompt: 'How much credit do I have? Ask turnpike.',
      settings: [`mcp_servers.turnpike.url="${node.origin}/mcp"`],
      ...place,
    })
    expect(done.exitCode, done.stderr).toBe(0)
    expect(lastMessage(done)).toBe('You have nothing.')
    const called = itemsOf(done).find(({ type }) => type === 'mcp_tool_call')
    expect(called).toMatchObject({
      server: 'turnpike',
      tool: 'balance',
      status: 'completed',
      result: { structured_content: { balance_usd: '0' } },
    })
    const asked = vendor.journal.entries.map(({ request }) => request.body.toString())
    expect(asked.at(-1)).toMatch(/"tool_result".*balance_usd/)
  })
})
