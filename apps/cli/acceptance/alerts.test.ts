import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { expect, test } from 'vitest'
import { isSignedBy, WebhookReceiver } from '../../server/notify/testing/webhook-receiver.ts'
import { suiteServer } from '../../../tests/nodes/suite.ts'
import type { ListJson } from '../testing/answers.ts'
import { suiteUser } from '../testing/suite.ts'

interface TargetJson {
  id: string
  secret: string
}

const onTerminal = { env: { TURNPIKE_FORCE_TTY: '200', NO_COLOR: '1' } }

const receiver = suiteServer(new WebhookReceiver())
const smtp = suiteServer(new SmtpServer())
const { home } = suiteUser(() => ({
  server: { port: 0 },
  webhooks: { allowed_networks: ['127.0.0.1'] },
  mail: {
    smtp: { ...smtp.settings, user: 'gateway', password: 'of the gateway' },
    from: 'alerts@gateway.test',
  },
}))

test('alerts are listed, set, and turned off', async () => {
  expect((await home.run(['alerts', 'list'])).stdout).toMatch(/^balance\toff\t[^\n]+\n[^]*key_expiry\toff\t/)
  const on = await home.run(['alerts', 'set', 'balance', '--below', '20'])
  expect(on.stdout).toBe('balance\ton\ttotal credit is below $20.00\n')
  expect(on.stderr).toContain('Nobody is notified yet. Add a recipient: turnpike webhooks create')
  const expiry = await home.json(['alerts', 'set', 'key_expiry', '--days', '14'])
  expect(expiry).toMatchObject({ code: 0, stderr: '', value: { enabled: true, days: 14 } })
  const off = await home.json(['alerts', 'set', 'balance', '--off'])
  expect(off.value).toMatchObject({ enabled: false, threshold_usd: '20' })
  const wrong: [string[], string][] = [
    [['balance', '--days', '3'], '--days'],
    [['unusual_spend', '--below', '3'], '--below'],
    [['runway', '--days', '91'], '--days'],
    [['weather'], '<kind>'],
  ]
  for (const [words, param] of wrong) {
    const { code, value } = await home.json(['alerts', 'set', ...words])
    expect([code, value], words.join(' ')).toMatchObject([1, { error: { param } }])
  }
})

test('a webhook is created, tested, redelivered, rotated, changed and deleted', async () => {
  const create = ['webhooks', 'create', '--url', receiver.url]
  // A secret is not created if it would end up in a script's file.
  const piped = await home.run(create)
  expect([piped.code, piped.stdout, piped.stderr]).toEqual([1, '', expect.stringContaining('--json')])
  expect((await home.json<ListJson>(['webhooks', 'list'])).value.data).toEqual([])

  const { value: made } = await home.json<TargetJson>([...create, '--type', 'budget.threshold'])
  expect(made).toMatchObject({ kind: 'webhook', types: ['budget.threshold'], status: 'active' })
  expect(made.secret).toMatch(/^whsec_/)
  const tested = await home.json<{ id: string; event_id: string }>(['webhooks', 'test', made.id])
  expect([tested.code, tested.value]).toMatchObject([0, { status: 'delivered', log: [{ status: 200 }] }])
  expect(isSignedBy(made.secret, receiver.received[0]!)).toBe(true)
  const again = await home.run(['webhooks', 'redeliver', tested.value.id])
  expect(again).toEqual({ code: 0, stdout: '', stderr: '✓ webhook.test is being sent again\n' })
  await expect.poll(() => receiver.received.length).toBe(2)
  const show = ['webhooks', 'delivery', tested.value.id]
  await expect.poll(async () => (await home.run(show)).stdout).toMatch(/ {2}attempt 2 +\S+: 200, \d+ ms/)

  receiver.answer = { status: 500, body: 'out of \u001B[31morder' }
  const failed = await home.run(['webhooks', 'test', made.id])
  expect([failed.code, failed.stdout]).toEqual([3, ''])
  const [, words] = /turnpike (webhooks delivery dlv_\w+)/.exec(failed.stderr)!
  const answered = await home.run(words!.split(' '), onTerminal)
  expect(answered.stdout).toMatch(/ {2}attempt 1 +\S[^\n]*: 500, \d+ ms, [^\n]*out of [^\n]*order/)
  expect(answered.stdout).not.toContain('\u001B')
  const list = ['webhooks', 'deliveries', '--target', made.id, '--fields', 'event_id,status']
  const delivered = await home.run([...list, '--status', 'delivered'])
  expect(delivered.stdout).toBe(`${tested.value.event_id}\tdelivered\n`)
  expect((await home.run(['alerts', 'events'])).stdout).toMatch(/^evt_\w+\twebhook\.test\t/)
  const events = await home.json<ListJson>(['alerts', 'events', '--type', 'webhook.test', '--limit', '1'])
  expect([events.value.data.length, events.value.has_more]).toEqual([1, true])

  expect((await home.run(['webhooks', 'rotate-secret', made.id])).code).toBe(1)
  const rotated = await home.run(['webhooks', 'rotate-secret', made.id], onTerminal)
  expect(rotated.stdout).toMatch(/ {2}old secret +also signs until [^\n]+\n {2}secret +whsec_\S+\n$/)
  expect(rotated.stdout).not.toContain(made.secret)
  const update = ['webhooks', 'update', made.id]
  const disabled = await home.json([...update, '--disable', '--type', '*', '--name', 'Ours'])
  expect(disabled.value).toMatchObject({ status: 'disabled', types: ['*'], name: 'Ours' })
  expect((await home.run(['webhooks', 'test', made.id])).code).toBe(1)
  expect((await home.run([...update, '--enable'])).stdout).toMatch(/^Ours\n[^]* {2}status +active\n/)
  const deleted = await home.run(['webhooks', 'delete', made.id])
  expect(deleted).toEqual({ code: 0, stdout: '', stderr: `✓ Deleted target ${made.id}\n` })
  expect((await home.run(['webhooks', 'show', made.id])).code).toBe(1)
})

test('mail goes to another address only after that address has confirmed', async () => {
  const made = await home.run(['webhooks', 'create', '--email', 'ops@example.com'])
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tgt_\w{26}\n$/) })
  expect(made.stderr).toContain('A confirmation was emailed to ops@example.com')
  const lettersToOps = () => smtp.letters.filter(({ to }) => to.includes('ops@example.com'))
  await expect.poll(() => lettersToOps().length).toBe(1)
  const id = made.stdout.trim()
  const listed = await home.run(['webhooks', 'list', '--fields', 'id,status,types'])
  expect(listed.stdout).toBe(`${id}\tunconfirmed\teverything\n`)
  const soon = await home.run(['webhooks', 'confirm', id])
  expect([soon.code, soon.stderr]).toEqual([expect.any(Number), expect.stringContaining('eight hours')])
  for (const words of [[], ['--mail', '--url', receiver.url]]) {
    const { code, value } = await home.json(['webhooks', 'create', ...words])
    expect([code, value]).toMatchObject([1, { error: { param: '--url' } }])
  }
  await home.run(['org', 'create', 'Engines'])
  const roles = ['webhooks', 'create', '--role', 'owner', '--role', 'billing', '--name', 'Money']
  const { value } = await home.json([...roles, '--org', 'Engines'])
  expect(value).toMatchObject({ kind: 'mail', roles: ['owner', 'billing'], status: 'active', secret: null })
})
