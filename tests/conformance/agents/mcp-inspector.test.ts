import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginByDevice } from '../../../apps/server/identity/testing/device-login.ts'
import { newEmail } from '../../../apps/server/identity/testing/sign-in.ts'
import { keyOf, signedInAgent } from '../mcp/signed-in-agent.ts'
import { list, object } from '../vendors/oracle/json.ts'
import { agentUnderTest } from './agent-under-test.ts'
import { inspect, mcpInspector, type Inspection } from './mcp-inspector.ts'
import { signIn } from './mcp-login.ts'
import { suiteNode } from '../../nodes/suite.ts'

/**
 * Calls the gateway's MCP server with the official inspector, by every method of its command line for
 * servers.
 */

const program = agentUnderTest(mcpInspector, 'the inspector')

const anyText = expect.any(String) as string

const budgetInput = { name: 'all of it', scope: 'organization', period: 'month', limit_usd: '50' }

/** Each tool's arguments, and a part of its result. */
const calls: [tool: string, input: object, output: object][] = [
  ['list_models', { filter: 'sandbox echo' }, { models: [{ id: 'sandbox/echo' }] }],
  ['chat', { prompt: 'Hello', model: 'sandbox/echo' }, { content: 'Hello', finish_reason: 'stop' }],
  ['route', { prompt: 'Hello' }, { model: anyText }],
  ['balance', {}, { balance_usd: anyText }],
  ['usage', { by: ['model'] }, { rows: expect.any(Array) as unknown[] }],
  ['health', { by: 'model' }, { counted_since: expect.any(Number) as number, has_more: false }],
  ['list_budgets', {}, { budgets: [] }],
  ['create_budget', budgetInput, { limit_usd: '50', hard: true, notify: [50, 80, 100] }],
  ['list_alerts', {}, { alerts: expect.arrayContaining([]) as unknown[] }],
  ['list_events', {}, { events: [] }],
  ['list_deliveries', { status: 'failed' }, { deliveries: [] }],
  ['list_keys', {}, { keys: [{ name: 'test' }] }],
  ['create_key', { name: 'made here' }, { raw: expect.stringMatching(/^sk-turnpike-/) as string }],
  ['top_up', { amount_usd: '5' }, { status: 'open', checkout_url: anyText }],
]
/** Tools whose arguments are taken from another one's result. */
const laterTools = ['update_budget', 'delete_budget', 'delivery', 'top_up_status']
const lastTool = 'top_up_status'

describe.runIf(program !== undefined).each(['legacy', 'modern'])('in the %s protocol', (era) => {
  let token: string
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-inspector-'))
  const place = { project: folder, home: folder }

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
  })
  const node = suiteNode({ server: { port: 0 }, mcp: { client_documents: false } })
  beforeAll(async () => {
    const agent = await signedInAgent(node)
    token = agent.token
    await keyOf(node, agent)
  })

  const inspectWith = (credential: string | undefined, ...args: string[]): Promise<Inspection> =>
    inspect(program!, place, `${node.origin}/mcp`, credential, ['--protocol-era', era, '--method', ...args])

  test('initialize', async () => {
    const { result, stderr } = await inspectWith(token, 'initialize')
    expect(result, stderr).toMatchObject({
      serverInfo: { name: 'turnpike' },
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
      capabilities: { tools: {} },
    })
  })

  const call = (name: string, input: object): Promise<Inspection> =>
    inspectWith(token, 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input))

  test('tools/list: every client can read the arguments of every tool', async () => {
    const { exitCode, result, stderr } = await inspectWith(token, 'tools/list', '--strict')
    expect(exitCode, stderr).toBe(0)
    const names = list(result['tools']).map((tool) => object(tool)['name'])
    expect(new Set(names)).toEqual(new Set([...calls.map(([name]) => name), ...laterTools]))
    expect(stderr).toContain('0 errors')
    expect(stderr).not.toContain('Path: inputSchema')
  })

  test.each(calls)('tools/call %s', async (name, input, output) => {
    const { exitCode, result, stderr } = await call(name, input)
    expect(exitCode, stderr).toBe(0)
    expect(result).toMatchObject({ structuredContent: output, _meta: { 'turnpike/cost_usd': anyText } })
  })

  test('tools/call update_budget, delete_budget, delivery', async () => {
    // There is only one budget of a kind and period, and the tool was called for the month already.
    const weekly = await call('create_budget', { ...budgetInput, period: 'week' })
    const made = object(weekly.result['structuredContent'])
    const id = { budget_id: made['id'] }
    const { result: changed } = await call('update_budget', { ...id, limit_usd: '60' })
    expect(changed).toMatchObject({ structuredContent: { limit_usd: '60' } })
    expect((await call('delete_budget', id)).result).toMatchObject({ structuredContent: { id: made['id'] } })
    const none = await call('delivery', { delivery_id: `dlv_${'0'.repeat(26)}` })
    expect(none).toMatchObject({ exitCode: 5, result: { isError: true } })
  })

  test(`tools/call ${lastTool}, and one with wrong arguments`, async () => {
    const made = object((await call('top_up', { amount_usd: '5' })).result['structuredContent'])
    const { result } = await call(lastTool, { session_id: made['session_id'] })
    expect(result).toMatchObject({ structuredContent: { status: 'open', amount_usd: '5' } })
    const wrong = await call(lastTool, { session_id: '..' })
    expect(wrong).toMatchObject({
      exitCode: 5,
      result: { isError: true },
      failure: { code: 'tool_is_error' },
    })
  })

  test.each(['resources/list', 'resources/templates/list', 'prompts/list'])('%s: none', async (method) => {
    const { exitCode, result, stderr } = await inspectWith(token, method)
    expect(exitCode, stderr).toBe(0)
    expect(Object.values(result)).toEqual([[]])
  })

  test.each<[told: RegExp, method: string, ...options: string[]]>([
    [/Method not found/, 'resources/read', '--uri', 'file:///etc/passwd'],
    [/Method not found/, 'prompts/get', '--prompt-name', 'none'],
    [/did not declare/, 'resources/directory/read', '--uri', 'file:///etc'],
    [/does not declare/, 'skills/list'],
    [/does not declare/, 'skills/get', '--uri', 'skill://none'],
    [/does not support logging/, 'logging/setLevel', '--log-level', 'debug'],
    [/not found/, 'tools/call', '--tool-name', 'pay'],
  ])('%s: %s', async (told, method, ...options) => {
    const { exitCode, failure } = await inspectWith(token, method, ...options)
    expect(exitCode).not.toBe(0)
    expect(failure['message']).toMatch(told)
  })

  test('refuses a call without a token, or with a management API’s, and asks to sign in', async () => {
    const { access_token: elsewhere } = await loginByDevice(node.origin, { email: newEmail() })
    for (const credential of [undefined, elsewhere]) {
      const { exitCode, failure } = await inspectWith(credential, 'tools/list')
      expect([exitCode, failure['code']]).toEqual([3, 'auth_required'])
    }
  })

  test('signs in where the refusal says, and continues', async () => {
    const way = ['--cli', `${node.origin}/mcp`, '--transport', 'http', '--protocol-era', era]
    const anyPort = ['--callback-url', 'http://127.0.0.1:0/oauth/callback']
    const args = [...way, ...anyPort, '--method', 'tools/list']
    const output = await signIn(program!, args, ['topup:write'], place)
    expect(output).toContain('"top_up"')
    expect(output).not.toContain('"chat"')
  })
})
