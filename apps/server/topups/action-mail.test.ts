import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { expect, test } from 'vitest'
import { suiteNode, suiteServer } from '../../../tests/nodes/suite.ts'

const smtp = suiteServer(new SmtpServer())
const node = suiteNode(() => ({ mail: { smtp: smtp.settings, from: 'alerts@gateway.test' } }))

/** Presses `pay` on the sandbox's page, and saves a card with the given later behavior. */
async function pay(checkout: string, card: string): Promise<void> {
  const address = node.origin + new URL(checkout).pathname
  const page = await fetch(address)
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!
  const [, token] = /name="token" value="([^"]+)"/.exec(await page.text()) as unknown as [string, string]
  const paid = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, decision: 'pay', card }).toString(),
  })
  expect(paid.status).toBe(303)
}

test('a payment that a bank wants confirmed causes a mail with a link that completes it', async () => {
  const subject = 'who-buys'
  const { account } = await node.storage.accounts.provision(
    { subject, tier: 'free', email: 'buyer@example.com' },
    Date.now(),
  )
  const path = `/accounts/${account.id}`
  const call = <Body = Record<string, unknown>>(at: string, method = 'GET', body?: unknown): Promise<Body> =>
    node.admin<Body>(path + at, { method, ...(body !== undefined && { body }) })
  const bought = await call<{ checkout_url: string }>('/topup', 'POST', {
    amount_usd: '25',
    save_payment_method: true,
  })
  await pay(bought.checkout_url, 'authentication_required')
  const { data } = await call<{ data: { id: string }[] }>('/payment-methods')
  await call('/auto-topup', 'PUT', {
    threshold_usd: '30',
    amount_usd: '20',
    monthly_cap_usd: '20',
    payment_method_id: data[0]!.id,
  })
  await expect.poll(() => smtp.letters.length, { timeout: 20_000 }).toBe(1)
  const [letter] = smtp.letters
  expect(letter).toMatchObject({
    to: ['buyer@example.com'],
    headers: { subject: 'Your bank wants you to confirm a top-up of 20 USD' },
  })
  const text = letter!.body.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const { action_url: url } = await call<{ action_url: string }>('/auto-topup')
  expect(text).toContain(url)
  await pay(url, 'accepted')
  await expect.poll(async () => (await call('/auto-topup'))['state'], { timeout: 20_000 }).toBe('idle')
  expect(await call('')).toMatchObject({ unassigned_usd: '45' })
  const { data: targets } = await call<{ data: { id: string }[] }>('/event-targets')
  expect(targets).toMatchObject([{ kind: 'mail', email: 'buyer@example.com', name: 'Automatic top-up' }])
}, 60_000)
