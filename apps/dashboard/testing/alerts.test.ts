import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigurationInput } from '../../server/configuration/schema/schema.ts'
import { plainText } from '../../server/notify/testing/plain-text.ts'
import { WebhookReceiver } from '../../server/notify/testing/webhook-receiver.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage } from './accessible.ts'
import { dialog, payAtCheckout, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { noDialog, signUp, type Visitor } from './visitor.ts'

/**
 * Rules, a recipient that fails at first, and the log of its deliveries. The tests depend on each other's
 * order.
 */
describeInBrowser('alerts', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page
  const receiver = new WebhookReceiver()
  const smtp = new SmtpServer()

  beforeAll(async () => {
    await receiver.listen()
    const port = await smtp.listen()
    const input: ConfigurationInput = {
      webhooks: { allowed_networks: ['127.0.0.1'] },
      mail: { smtp: { host: '127.0.0.1', port, tls: 'none' }, from: 'alerts@gateway.test' },
    }
    ;({ node, visitor, page } = await openDashboard({ bypassCSP: true }, input))
    await signUp(visitor, node, 'ada@example.com')
  }, 120_000)
  afterAll(async () => {
    await receiver.close()
    await smtp.close()
  })

  const view = (name: string): Promise<void> => page.getByText(name, { exact: true }).first().click()
  const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name })

  test('a rule can be set, and shows its error at the field', async () => {
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await page.getByText('No recipients yet').waitFor()
    await expectPage(page)
    await page.getByLabel('Below').fill('-5')
    await press(page, 'Save')
    await page.getByText(/^Expected/).waitFor()
    await page.getByLabel('Below').fill('12.5')
    await press(page, 'Save')
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.reload()
    expect(await page.getByLabel('Below').inputValue()).toBe('12.5')
  })

  test('adding a webhook refuses a private address, and shows the secret once', async () => {
    await view('Recipients')
    await press(page, 'Add a recipient')
    await dialog(page).getByText('Webhook', { exact: true }).click()
    await dialog(page).getByLabel('URL').fill('https://10.0.0.1/hooks')
    await press(dialog(page), 'Add')
    await dialog(page).getByText('this URL cannot be called').waitFor()
    await expectPage(page)
    await dialog(page).getByLabel('URL').fill(receiver.url)
    await dialog(page).getByLabel('Name (optional)').fill('chat')
    await press(dialog(page), 'Add')
    const secret = dialog(page).getByRole('region', { name: 'The secret' })
    expect(await secret.textContent()).toMatch(/^whsec_/)
    await expectPage(page)
    await press(page, 'I have saved it')
    await noDialog(page)
    await row('chat').getByText('active').waitFor()
    await expectPage(page)
  })

  test('a failed test delivery is in the log with the response, and can be sent again', async () => {
    receiver.answer = { status: 500, body: 'out of order' }
    await press(page, 'Actions of chat')
    await page.getByRole('menuitem', { name: 'Send a test' }).click()
    await dialog(page).getByText('out of order').waitFor()
    // The retry comes after five seconds; the next one would be a minute later.
    receiver.answer = { status: 200, body: 'ok' }
    await expectPage(page)
    await dialog(page).getByText('delivered', { exact: true }).waitFor()
    const ids = new Set(receiver.received.map(({ id }) => id))
    expect(ids.size).toBe(1)
    const before = receiver.received.length
    await press(dialog(page), 'Send it again')
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBeGreaterThan(before)
    await page.keyboard.press('Escape')
    await noDialog(page)
    await row('chat').getByText('delivered').waitFor()
    await expectPage(page)
  })

  test('a webhook can rotate its secret, change its events, and be deleted', async () => {
    await view('Recipients')
    await press(page, 'Actions of chat')
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    await press(dialog(page), 'Rotate')
    await dialog(page).getByRole('region', { name: 'The secret' }).waitFor()
    await press(page, 'I have saved it')
    await noDialog(page)
    await press(page, 'Actions of chat')
    await page.getByRole('menuitem', { name: 'Change' }).click()
    await dialog(page).getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Credit is low' }).click()
    await dialog(page).getByLabel('Name (optional)').click()
    await press(dialog(page), 'Save')
    await noDialog(page)
    await row('chat').getByText('Credit is low').waitFor()
    await press(page, 'Actions of chat')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(dialog(page), 'Delete')
    await noDialog(page)
    await page.getByText('No recipients yet').waitFor()
    expect(visitor.complaints.filter((text) => !/status of 400/.test(text))).toEqual([])
  })

  test('automatic top-ups can be set once a card is saved', async () => {
    await page.getByRole('link', { name: 'Credit', exact: true }).click()
    await view('Automatic')
    await page.getByText('No payment method is saved yet').waitFor()
    await page.getByRole('checkbox', { name: 'Save for automatic top-ups' }).check()
    await payAtCheckout(page)
    await view('Automatic')
    await page.getByRole('switch', { name: 'Buy credit automatically' }).click()
    await page.getByLabel('At most per month').fill('1')
    await press(page, 'Save')
    await page.getByText(/^Expected at least/).waitFor()
    await page.getByLabel('At most per month').fill('75')
    await press(page, 'Save')
    await page.getByText('of at most').waitFor()
    await expectPage(page)
    await page.getByRole('button', { name: /^Remove / }).click()
    await expectPage(page)
    await press(dialog(page), 'Remove')
    await noDialog(page)
    await page.getByText('No payment method is saved yet').waitFor()
  })

  test('an organization notifies its owners, and emails invitations with their expiry', async () => {
    await page.getByRole('button', { name: /^Switch account, current:/ }).click()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await dialog(page).getByLabel('Name').fill('Engines')
    await press(dialog(page), 'Create organization')
    await page.getByRole('heading', { level: 1, name: 'Engines', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await view('Recipients')
    // The user who signed up here has an unverified address.
    await row('owners and billing').getByText('nobody has a verified address').waitFor()
    await expectPage(page)
    await press(page, 'Add a recipient')
    await dialog(page).getByText('Email by role', { exact: true }).click()
    await dialog(page).getByRole('checkbox', { name: 'Admins' }).check()
    await dialog(page).getByLabel('Name (optional)').fill('who looks after it')
    await expectPage(page)
    await press(dialog(page), 'Add')
    await noDialog(page)
    await row('who looks after it').getByText('Email by role').waitFor()

    await page.getByRole('link', { name: 'Organization', exact: true }).click()
    await press(page, 'Invite someone')
    await dialog(page).getByLabel('Address (optional)').fill('bob@example.com')
    await press(dialog(page), 'Create invitation')
    await dialog(page).getByText('This link was emailed to').waitFor()
    await expectPage(page)
    await press(dialog(page), 'I have saved it')
    await noDialog(page)
    const letter = smtp.letters.find(({ to }) => to.includes('bob@example.com'))!
    const link = /http\S+\/join#[\w-]+/.exec(plainText(letter.body))![0]
    await page.goto(link)
    await page.getByText('You are invited to join').waitFor()
    const { data } = await node.admin<{ data: { id: string; kind: string }[] }>('/accounts')
    const { id } = data.find(({ kind }) => kind === 'organization')!
    const invitations = `/accounts/${id}/organization/invitations`
    const open = await node.admin<{ data: { id: string }[] }>(invitations)
    await node.admin(`${invitations}/${open.data[0]!.id}`, { method: 'DELETE' })
    await page.reload()
    await page.getByText('This invitation was revoked').waitFor()
    await expectPage(page)
  })
})
