import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import manifest from '../package.json' with { type: 'json' }
import { oldestNode } from '../testing/oldest-node.ts'
import { decideCheckout, logIn } from '../testing/signed-in.ts'
import { suiteHomes, suiteProgram } from '../testing/suite.ts'

const program = suiteProgram()
const node = suiteNode({ server: { port: 0 } })
const home = suiteHomes(program)(node)

/** The SDK's own client, which starts the server as agents do, on the oldest available Node. */
async function connect(env: Record<string, string> = {}): Promise<{ client: Client; stderr: () => string }> {
  const transport = new StdioClientTransport({
    command: oldestNode().path,
    args: [program.path, 'mcp'],
    env: { TURNPIKE_API_URL: node.origin, TURNPIKE_CONFIG_DIR: home.files, ...env },
    stderr: 'pipe',
  })
  let text = ''
  transport.stderr!.on('data', (piece: Buffer) => (text += piece.toString()))
  const client = new Client({ name: 'a test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  // Once it has the schemas, the client validates every response.
  await client.listTools()
  return { client, stderr: () => text }
}

async function call(client: Client, name: string, input: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...input } })) as CallToolResult
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

test('before a login, tools say what to do, and the server keeps running', async () => {
  const { client, stderr } = await connect()
  expect(client.getServerVersion()).toMatchObject({ name: 'turnpike', version: manifest.version })
  expect(client.getInstructions()).toContain('never open or pay a checkout')
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['list_models', true],
    ['chat', false],
    ['route', true],
    ['balance', true],
    ['usage', true],
    ['health', true],
    ['list_budgets', true],
    ['create_budget', false],
    ['update_budget', false],
    ['delete_budget', false],
    ['list_alerts', true],
    ['list_events', true],
    ['list_deliveries', true],
    ['delivery', true],
    ['list_keys', true],
    ['create_key', false],
    ['top_up', false],
    ['top_up_status', true],
  ])
  for (const name of ['balance', 'usage', 'list_keys']) {
    const refused = await call(client, name)
    expect(refused).toMatchObject({ isError: true })
    expect(textOf(refused)).toBe(`Not logged in to ${node.origin}.\nLog in: turnpike login`)
    expect(refused._meta).toEqual({
      'turnpike/failure': { error: expect.objectContaining({ type: 'authentication_error' }), exit_code: 1 },
    })
  }
  expect(textOf(await call(client, 'chat', { prompt: 'Hi' }))).toMatch(/No API key[^]*turnpike keys create/)
  expect(stderr()).toBe('')
})

test('without a gateway, tools report that', async () => {
  const { client } = await connect({ TURNPIKE_API_URL: 'http://127.0.0.1:9', TURNPIKE_API_KEY: 'sk-x' })
  const refused = await call(client, 'list_models')
  expect(textOf(refused)).toMatch(/^Nothing responds at http:\/\/127\.0\.0\.1:9 /)
  expect(refused._meta).toMatchObject({ 'turnpike/failure': { exit_code: 2 } })
})

test('an agent creates a key, is told to have it paid for, calls models, and sees the cost', async () => {
  expect((await logIn(home, node.origin)).code).toBe(0)
  const { client, stderr } = await connect()
  expect((await call(client, 'balance')).structuredContent).toEqual({
    balance_usd: '0',
    currency: 'USD',
    unassigned_usd: '0',
  })
  const created = await call(client, 'create_key', { name: 'agent', expires: '30d', cache: true })
  const { raw, ...key } = created.structuredContent as { raw: string; id: string; name: string }
  expect(raw).toMatch(/^sk-turnpike-[0-9A-Za-z]{38}$/)
  expect(home.read('last_key')).toBe(`${raw}\n`)
  const listed = await call(client, 'list_keys')
  expect(listed.structuredContent).toMatchObject({ keys: [{ id: key.id, name: 'agent' }], next_cursor: null })
  expect(JSON.stringify(listed)).not.toContain(raw)

  const unpaid = await call(client, 'chat', { prompt: 'Hi', model: 'sandbox/echo' })
  expect(unpaid).toMatchObject({ isError: true, _meta: { 'turnpike/failure': { exit_code: 1 } } })
  expect(textOf(unpaid)).toContain('turnpike topup --amount 10')
  await decideCheckout((await home.run(['topup', '--amount', '5'])).stdout.trim(), 'pay')

  const answer = await call(client, 'chat', { prompt: 'Hello', model: 'sandbox/echo', tags: ['by:agent'] })
  expect(answer.structuredContent).toMatchObject({
    model: 'sandbox/echo',
    content: 'Hello',
    finish_reason: 'stop',
    cost_usd: expect.stringMatching(/^0\.0/),
  })
  expect(textOf(answer)).toMatch(/^Hello\nsandbox\/echo · \d+ in, \d+ out · \$0\.0\d+ · /)
  const messages = [
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'Three' },
  ]
  const third = await call(client, 'chat', {
    messages,
    system: 'Echo.',
    model: 'sandbox/echo',
    max_tokens: 50,
  })
  expect(third.structuredContent).toMatchObject({ content: 'Three' })
  const usage = await call(client, 'usage', { days: 7, by: ['tag', 'model'], tag: ['by:agent'] })
  expect(usage.structuredContent).toMatchObject({
    range_days: 7,
    total_requests: 1,
    rows: [{ group: ['by:agent', 'sandbox/echo'], total_requests: 1 }],
  })
  const byDay = await call(client, 'usage', { by: ['day'] })
  expect(byDay.structuredContent).toMatchObject({ total_requests: 2, rows: [{ total_requests: 2 }] })
  const routed = await call(client, 'route', { prompt: 'Prove that there are infinitely many primes' })
  expect(routed.structuredContent).toMatchObject({ model: 'sandbox/lorem', runner_up: null })
  expect(stderr()).toBe('')
})

test('models have prices per million tokens', async () => {
  const { client } = await connect()
  const { structuredContent } = await call(client, 'list_models', { filter: 'ECHO', provider: 'sandbox' })
  expect(structuredContent).toMatchObject({
    models: [{ id: 'sandbox/echo', input: '0.1', output: '0.4', context_length: 131072 }],
    total: 1,
  })
  const { structuredContent: first } = await call(client, 'list_models', { sort: 'output', limit: 1 })
  expect(first).toMatchObject({ models: [expect.objectContaining({ id: expect.any(String) })] })
})

test('wrong input is a tool error that names it', async () => {
  const { client } = await connect()
  expect(textOf(await call(client, 'usage', { days: 400 }))).toContain('days')
  expect(textOf(await call(client, 'chat', {}))).toBe('Expected either `prompt` or `messages`.')
  expect(textOf(await call(client, 'chat', { prompt: 'Hi', model: 'no/such' }))).toContain('no/such')
})

test('a pipe that closes after its requests gets the responses, and nothing else on stdout', async () => {
  const questions = [
    { method: 'initialize', id: 1, params: initialize },
    { method: 'notifications/initialized' },
    { method: 'tools/call', id: 2, params: { name: 'balance', arguments: {} } },
  ]
  const stdin = questions.map((question) => `${JSON.stringify({ jsonrpc: '2.0', ...question })}\n`).join('')
  const { code, stdout, stderr } = await home.run(['mcp'], { stdin, env: { TURNPIKE_JSON: '1' } })
  expect([code, stderr]).toEqual([0, ''])
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number })
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
})

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'a test', version: '1' },
}
