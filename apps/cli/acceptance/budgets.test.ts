import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../server/testing/test-node.ts'
import { CliHome } from '../testing/cli-home.ts'
import { BuiltProgram } from '../testing/program.ts'
import { logIn } from '../testing/signed-in.ts'

let node: TestNode
let program: BuiltProgram
let home: CliHome

beforeAll(async () => {
  program = await BuiltProgram.make()
  node = await startTestNode({
    input: {
      server: { port: 0, trusted_proxies: ['127.0.0.1'] },
      webhooks: { allowed_networks: ['127.0.0.0/8'] },
    },
  })
  home = new CliHome(node.origin, program)
  expect((await logIn(home, node.origin)).code).toBe(0)
})
afterAll(async () => {
  home.remove()
  program.remove()
  await node.stop()
})

test('a budget of an organization: made, seen, changed, reported on, deleted', async () => {
  await home.run(['org', 'create', 'Engines'])
  const org = ['--org', 'Engines']
  const onTag = ['--scope', 'tag', '--subject', 'team:search', '--period', 'day', '--notify', '50,100']
  const made = await home.run(['budgets', 'create', '--limit', '20', ...onTag, ...org])
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^bud_\w{26}\n$/)])
  expect(made.stderr).toContain('Made budget team:search: $20.00 a day')
  const id = made.stdout.trim()
  const { value } = await home.json<{ data: object[] }>(['budgets', 'list', ...org])
  expect(value.data).toMatchObject([{ id, scope: 'tag', subject: 'team:search', limit_usd: '20' }])
  expect((await home.json<{ data: object[] }>(['budgets', 'list'])).value.data).toEqual([])
  const raised = await home.run(['budgets', 'update', id, '--limit', '30', '--soft', ...org])
  expect(raised.stdout).toMatch(/\$30\.00 a day[^]*it only tells[^]*50 %, 100 %/)
  expect((await home.run(['budgets', 'show', id, '--fields', 'left_usd', ...org])).stdout).toBe('30\n')
  const report = await home.run(['budgets', 'report', id, ...org])
  expect([report.code, report.stdout]).toEqual([0, expect.stringMatching(/ledger\s+\$0\.00/)])
  expect((await home.run(['budgets', 'show', id])).stderr).toContain('no such budget')
  const deleted = await home.run(['budgets', 'delete', id, ...org])
  expect(deleted.stderr).toContain('Deleted budget team:search')
})

test.each([
  [['create', '--limit', 'much'], '--limit'],
  [['create', '--limit', '1', '--scope', 'tag'], '--subject'],
  [['create', '--limit', '1', '--notify', '50,half'], '--notify'],
  [['create', '--limit', '1', '--scope', 'key', '--subject', 'mine'], 'key_'],
  [['update', 'bud_1', '--hard', '--soft'], '--hard or --soft'],
  [['update', 'bud_1'], 'Nothing to change'],
  [['report', 'bud_1', '--from', 'monday'], '--from'],
])('budgets %j says what is wrong', async (words, message) => {
  const refused = await home.run(['budgets', ...words])
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain(message)
})

test('alerts are turned on and off', async () => {
  const set = await home.run(['alerts', 'set', 'balance', '--below', '10'])
  expect([set.code, set.stderr]).toEqual([0, expect.stringContaining('the balance is below $10.00')])
  const listed = await home.json<{ data: object[] }>(['alerts', 'list'])
  expect(listed.value.data).toContainEqual(
    expect.objectContaining({ kind: 'balance', enabled: true, threshold_usd: '10' }),
  )
  expect((await home.run(['alerts', 'set', 'runway', '--off'])).stderr).toContain('runway is off')
  const wrong = await home.run(['alerts', 'set', 'runway', '--below', '3'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('threshold_usd')])
})

test('a webhook: made, tested, its secret rotated, its log read, deleted', async () => {
  // The gateway's own liveness takes no POST: a receiver that refuses.
  const url = `${node.origin}/health`
  const made = await home.run(['webhooks', 'create', '--url', url, '--type', 'budget.threshold'])
  expect([made.code, made.stdout], made.stderr).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)])
  const { value } = await home.json<{ data: { id: string }[] }>(['webhooks', 'list'])
  expect(value.data).toMatchObject([{ url, types: ['budget.threshold'] }])
  expect(JSON.stringify(value)).not.toContain(made.stdout.trim())
  const { id } = value.data[0]!
  const refused = await home.run(['webhooks', 'test', id])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('did not arrive')])
  const sent = await home.json<{ data: { id: string; event_type: string }[] }>(['webhooks', 'deliveries'])
  expect(sent.value.data).toMatchObject([{ event_type: 'webhook.test' }])
  const again = await home.run(['webhooks', 'redeliver', sent.value.data[0]!.id])
  expect(again.stderr).toMatch(/sent again|under way|pending/)
  const rotated = await home.run(['webhooks', 'rotate-secret', id])
  expect(rotated.stdout).toMatch(/^whsec_\S+\n$/)
  expect(rotated.stdout).not.toBe(made.stdout)
  expect((await home.run(['webhooks', 'update', id, '--status', 'disabled'])).stdout).toContain('disabled')
  expect((await home.run(['webhooks', 'delete', id])).stderr).toContain('Nothing is told')
  expect((await home.json<{ data: object[] }>(['webhooks', 'list'])).value.data).toEqual([])
  expect((await home.run(['alerts', 'events', '--type', 'webhook.test'])).stdout).toContain('webhook.test')
})

test('nothing is saved to pay with at first', async () => {
  const none = await home.run(['payment-methods', 'list'])
  expect([none.code, none.stderr]).toEqual([0, expect.stringContaining('topup --amount 25 --save')])
  const unknown = await home.run(['payment-methods', 'remove', `pmt_${'0'.repeat(26)}`])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no such payment method')])
})
