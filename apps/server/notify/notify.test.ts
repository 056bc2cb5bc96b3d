import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode, suiteServer } from '../../../tests/nodes/suite.ts'
import { plainText } from './testing/plain-text.ts'
import { isSignedBy, WebhookReceiver } from './testing/webhook-receiver.ts'

interface Row {
  [field: string]: unknown
  id: string
}
interface List {
  data: Row[]
}

describe.each(databases())('events on $engine', ({ create }) => {
  const database = suiteDatabase(create)
  const smtp = suiteServer(new SmtpServer())
  const receiver = suiteServer(new WebhookReceiver())
  const node = suiteNode(
    () => ({
      webhooks: {
        allowed_networks: ['127.0.0.1'],
        encryption_keys: [Buffer.alloc(32, 5).toString('base64')],
      },
      mail: {
        smtp: { ...smtp.settings, user: 'gateway', password: 'of the gateway' },
        from: 'alerts@gateway.test',
      },
    }),
    { database },
  )
  afterEach(() => {
    receiver.answer = { status: 200, body: 'ok' }
    receiver.received.length = 0
    smtp.letters.length = 0
    smtp.refusesRecipients = undefined
  })

  const call = <Body = Row>(path: string, method = 'GET', body?: unknown): Promise<Body> =>
    node.admin<Body>(path, { method, ...(body !== undefined && { body }) })
  const hook = async (path: string, more: object = {}): Promise<Row & { secret: string }> =>
    call(`${path}/event-targets`, 'POST', { kind: 'webhook', url: receiver.url, ...more })
  const deliveryOf = async (path: string, id: string) =>
    call<Row & { log: Row[] }>(`${path}/deliveries/${id}`)

  test('a webhook is signed according to Standard Webhooks, and its delivery is in the log', async () => {
    const { accountId } = await node.createKey()
    const path = `/accounts/${accountId}`
    const target = await hook(path)
    expect(target.secret).toMatch(/^whsec_/)
    const sent = await call(`${path}/event-targets/${target.id}/test`, 'POST')
    await expect.poll(() => receiver.received.length).toBe(1)
    const [got] = receiver.received
    const verified = new Webhook(target.secret).verify(got!.body, got!.headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'webhook.test', data: { account_id: accountId } })
    expect(got!.id).toBe(sent['event_id'])
    await expect.poll(async () => (await deliveryOf(path, sent.id))['status']).toBe('delivered')
    const { log } = await deliveryOf(path, sent.id)
    expect(log).toMatchObject([{ number: 1, status: 200, error: null, answer: 'ok' }])
    // The secret is sealed in the database, and no list contains it.
    const text = JSON.stringify(await call(`${path}/event-targets`))
    expect(text).not.toContain(target.secret.slice(6, 20))
    const again = await call(`${path}/deliveries/${sent.id}/redeliver`, 'POST')
    expect(again['status']).toBe('pending')
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]).toMatchObject({ id: got!.id, body: got!.body })
  })

  test('both secrets sign for a day after a rotation', async () => {
    const { accountId } = await node.createKey()
    const path = `/accounts/${accountId}`
    const { id, secret: first } = await hook(path)
    const rotate = () => call<Row & { secret: string }>(`${path}/event-targets/${id}/rotate-secret`, 'POST')
    const { secret: second } = await rotate()
    await call(`${path}/event-targets/${id}/test`, 'POST')
    await expect.poll(() => receiver.received.length).toBe(1)
    const [got] = receiver.received
    expect([first, second].map((secret) => isSignedBy(secret, got!))).toEqual([true, true])
    // Verified with each secret alone, as by a receiver that knows one of them.
    for (const secret of [first, second])
      expect(new Webhook(secret).verify(got!.body, got!.headers as Record<string, string>)).toMatchObject({
        type: 'webhook.test',
      })
    const { secret: third } = await rotate()
    await call(`${path}/event-targets/${id}/test`, 'POST')
    await expect.poll(() => receiver.received.length).toBe(2)
    const signers = [first, second, third].map((secret) => isSignedBy(secret, receiver.received[1]!))
    expect(signers).toEqual([false, true, true])
    const last = receiver.received[1]!
    expect(() => new Webhook(first).verify(last.body, last.headers as Record<string, string>)).toThrow()
  })

  test('a redirect is retried, and so is a huge response', async () => {
    const { accountId } = await node.createKey()
    const path = `/accounts/${accountId}`
    const { id } = await hook(path)
    const test = () => call(`${path}/event-targets/${id}/test`, 'POST')
    receiver.answer = { status: 302, headers: { location: 'http://127.0.0.1/elsewhere' } }
    const redirected = await test()
    await expect
      .poll(async () => (await deliveryOf(path, redirected.id)).log)
      .toMatchObject([{ number: 1, status: 302, error: 'the receiver returned status 302' }])
    receiver.answer = { status: 200, body: `\0${'y'.repeat(5_000_000)}` }
    const huge = await test()
    await expect.poll(async () => (await deliveryOf(path, huge.id))['status']).toBe('delivered')
    expect(String((await deliveryOf(path, huge.id)).log[0]!['answer'])).toHaveLength(1_024)
    await call(`${path}/event-targets/${id}`, 'DELETE')
  })

  test('a 410 disables a target, and cancels what waits', async () => {
    const { accountId } = await node.createKey()
    const path = `/accounts/${accountId}`
    const { id } = await hook(path)
    receiver.answer = { status: 410 }
    const gone = await call(`${path}/event-targets/${id}/test`, 'POST')
    await expect.poll(async () => (await deliveryOf(path, gone.id))['status']).toBe('failed')
    expect(await call(`${path}/event-targets/${id}`)).toMatchObject({ status: 'disabled' })
    await expect(call(`${path}/event-targets/${id}/test`, 'POST')).rejects.toThrow('409')
    await expect(call(`${path}/deliveries/${gone.id}/redeliver`, 'POST')).rejects.toThrow('409')
  })

  test('a webhook in a network that is not allowed is refused', async () => {
    const { accountId } = await node.createKey()
    for (const url of ['http://10.0.0.1/', 'https://[::1]/', 'https://localhost/', 'gopher://x/', 'x'])
      await expect(hook(`/accounts/${accountId}`, { url })).rejects.toThrow(': 400')
  })

  test('credit below a threshold is reported once, and again after it was above', async () => {
    const { accountId } = await node.createKey({ creditUsd: '2' })
    const path = `/accounts/${accountId}`
    await hook(path, { types: ['balance.low'] })
    const body = { enabled: true, threshold_usd: '5' }
    expect(await call(`${path}/alerts/balance`, 'PUT', body)).toMatchObject({ threshold_usd: '5' })
    await expect.poll(() => receiver.received.length).toBe(1)
    const event = JSON.parse(receiver.received[0]!.body) as { type: string; data: object }
    expect(event).toMatchObject({ type: 'balance.low', data: { balance_usd: '2', threshold_usd: '5' } })
    const raised = async () => (await call<List>(`${path}/alerts`)).data.map((rule) => rule['raised'])
    expect(await raised()).toEqual([true, false, false, false])
    const credit = (amount: string, kind = 'grant') =>
      call(`${path}/credits`, 'POST', { kind, amount_usd: amount, reason: 'test' })
    await credit('10')
    await expect.poll(raised).toEqual([false, false, false, false])
    await credit('-9', 'adjustment')
    await expect.poll(async () => (await call<List>(`${path}/events`)).data.length).toBe(2)
  })

  test('mail goes to one’s own address at once, and to another address after a confirmation', async () => {
    const email = `ada-${Math.random().toString(36).slice(2)}@example.com`
    const { id: accountId } = await call('/accounts', 'POST', { email })
    const path = `/accounts/${accountId}`
    const own = await call(`${path}/event-targets`, 'POST', { kind: 'mail' })
    expect(own).toMatchObject({ email, status: 'active', secret: null })
    await call(`${path}/event-targets/${own.id}/test`, 'POST')
    await expect.poll(() => smtp.letters.length).toBe(1)
    const [letter] = smtp.letters
    expect(letter).toMatchObject({ from: 'alerts@gateway.test', to: [email], user: 'gateway' })
    expect(letter!.headers).toMatchObject({
      subject: 'A test of your alerts',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<dlv_.*@127\.0\.0\.1>$/),
    })

    const other = { kind: 'mail', email: 'Team@Example.com' }
    const unconfirmed = await call(`${path}/event-targets`, 'POST', other)
    expect(unconfirmed).toMatchObject({ email: 'team@example.com', status: 'unconfirmed' })
    await expect(call(`${path}/event-targets/${unconfirmed.id}/test`, 'POST')).rejects.toThrow('409')
    await expect(call(`${path}/event-targets/${unconfirmed.id}/confirmation`, 'POST')).rejects.toThrow('429')
    const [confirmPath] = /\/confirm-address\/[\w-]{43}/.exec(plainText(smtp.letters[1]!.body))!
    const link = node.origin + confirmPath
    const page = await fetch(link)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('send them to me')])
    const statusOf = async () => (await call(`${path}/event-targets/${unconfirmed.id}`))['status']
    expect(await statusOf()).toBe('unconfirmed')
    const pressed = await fetch(link, { method: 'POST' })
    expect([pressed.status, await statusOf()]).toEqual([200, 'active'])
    expect((await fetch(link, { method: 'POST' })).status).toBe(404)
  })

  test('a refusal of the mail server is in the log, without its text', async () => {
    const email = `eve-${Math.random().toString(36).slice(2)}@example.com`
    const { id: accountId } = await call('/accounts', 'POST', { email })
    const path = `/accounts/${accountId}`
    const { id } = await call(`${path}/event-targets`, 'POST', { kind: 'mail' })
    smtp.refusesRecipients = '550 mail.internal knows nobody'
    const sent = await call(`${path}/event-targets/${id}/test`, 'POST')
    await expect
      .poll(async () => (await deliveryOf(path, sent.id)).log)
      .toMatchObject([{ status: null, error: 'the mail server rejected it (550)' }])
  })

  test('the operator is notified of a ledger that does not add up', async () => {
    const target = await call<Row & { secret: string }>('/event-targets', 'POST', {
      kind: 'webhook',
      url: receiver.url,
      types: ['ledger.difference'],
    })
    const { run } = await node.storage.verifications.begin('node_of_the_test', Date.now())
    const differences = [{ subject: 'key:key_1', expected: '1', found: '2' }]
    await node.storage.verifications.end(run.id, { state: 'finished', checked: 3, differences }, Date.now())
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      type: 'ledger.difference',
      data: { account_id: null, differences: 1, verification_id: run.id },
    })
    await call(`/event-targets/${target.id}`, 'DELETE')
  })
})
