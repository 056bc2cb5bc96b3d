import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebhookReceiver } from '../../server/notify/testing/webhook-receiver.ts'
import { findChromium } from '../../server/testing/chromium.ts'
import type { TestNode } from '../../server/testing/test-node.ts'
import { expectAccessible, screen } from './accessible.ts'
import { noDialog, openDashboard, signUp, type Visitor } from './visitor.ts'

const chromium = findChromium()

/** Rules, a recipient that fails at first, and the log of what it was told. In the order of the tests. */
describe.skipIf(chromium === undefined)('alerts', { timeout: 90_000 }, () => {
  let browser: Browser
  let node: TestNode
  let visitor: Visitor
  const receiver = new WebhookReceiver()

  beforeAll(async () => {
    await receiver.listen()
    const input = { webhooks: { allowed_networks: ['127.0.0.1'] } }
    ;({ browser, node, visitor } = await openDashboard(chromium!, { bypassCSP: true }, input))
    await signUp(visitor, node, 'ada@example.com')
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await node.stop()
    await receiver.close()
  })

  const dialog = (): Locator => visitor.page.getByRole('dialog')
  const press = (name: string, within: Page | Locator = visitor.page): Promise<void> =>
    within.getByRole('button', { name, exact: true }).click()
  const view = (name: string): Promise<void> => visitor.page.getByText(name, { exact: true }).click()
  const row = (name: string): Locator => visitor.page.getByRole('row').filter({ hasText: name })
  const expectPage = async (): Promise<void> => {
    await expectAccessible(visitor.page)
    await visitor.page.setViewportSize(screen)
  }

  test('a rule is set, and says at its field what is wrong with it', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await page.getByText('Nobody is told yet').waitFor()
    await expectPage()
    await page.getByLabel('Below').fill('-5')
    await press('Save')
    await page.getByText(/^Expected/).waitFor()
    await page.getByLabel('Below').fill('12.5')
    await press('Save')
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.reload()
    expect(await page.getByLabel('Below').inputValue()).toBe('12.5')
  })

  test('a webhook is added: an address within the network is refused, its secret is shown once', async () => {
    const { page } = visitor
    await view('Recipients')
    await press('Add a recipient')
    await dialog().getByText('Webhook', { exact: true }).click()
    await dialog().getByLabel('URL').fill('https://10.0.0.1/hooks')
    await press('Add', dialog())
    await dialog().getByText('It would not be called').waitFor()
    await expectPage()
    await dialog().getByLabel('URL').fill(receiver.url)
    await dialog().getByLabel('Name (optional)').fill('chat')
    await press('Add', dialog())
    const secret = dialog().getByRole('region', { name: 'The secret' })
    expect(await secret.textContent()).toMatch(/^whsec_/)
    await expectPage()
    await press('I saved it')
    await noDialog(page)
    await row('chat').getByText('active').waitFor()
    await expectPage()
  })

  test('a test that it refuses stands in the log with its answer, and is sent again', async () => {
    const { page } = visitor
    receiver.answer = { status: 500, body: 'out of order' }
    await press('Actions of chat')
    await page.getByRole('menuitem', { name: 'Send a test' }).click()
    await dialog().getByText('out of order').waitFor()
    // It is tried again after five seconds, and then not for a minute.
    receiver.answer = { status: 200, body: 'ok' }
    await expectPage()
    await dialog().getByText('delivered', { exact: true }).waitFor()
    const ids = new Set(receiver.received.map(({ id }) => id))
    expect(ids.size).toBe(1)
    const before = receiver.received.length
    await press('Send it again', dialog())
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBeGreaterThan(before)
    await page.keyboard.press('Escape')
    await noDialog(page)
    await row('chat').getByText('delivered').waitFor()
    await expectPage()
  })

  test('its secret is rotated, what it is told of is changed, and it is deleted', async () => {
    const { page } = visitor
    await view('Recipients')
    await press('Actions of chat')
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    await press('Rotate', dialog())
    await dialog().getByRole('region', { name: 'The secret' }).waitFor()
    await press('I saved it')
    await noDialog(page)
    await press('Actions of chat')
    await page.getByRole('menuitem', { name: 'Change' }).click()
    await dialog().getByRole('combobox', { name: 'Is told of' }).click()
    await page.getByRole('option', { name: 'Credit is low' }).click()
    await dialog().getByLabel('Name (optional)').click()
    await press('Save', dialog())
    await noDialog(page)
    await row('chat').getByText('Credit is low').waitFor()
    await press('Actions of chat')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press('Delete', dialog())
    await noDialog(page)
    await page.getByText('Nobody is told yet').waitFor()
    expect(visitor.complaints.filter((text) => !/status of 400/.test(text))).toEqual([])
  })

  test('automatic top-ups are set once a card is saved', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Credit', exact: true }).click()
    await view('Automatic')
    await page.getByText('No payment method is saved yet').waitFor()
    await page.getByRole('checkbox', { name: 'Save it for automatic top-ups' }).check()
    const opened = page.context().waitForEvent('page')
    await press('Go to the checkout')
    const checkout = await opened
    await checkout.getByRole('button', { name: 'Pay 25 USD of play money' }).click()
    await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
    await checkout.close()
    await page.getByText('$25.00 arrived').waitFor()
    await view('Automatic')
    await page.getByRole('switch', { name: 'Buy credit automatically' }).click()
    await page.getByLabel('At most in a month').fill('1')
    await press('Save')
    await page.getByText(/^Expected at least/).waitFor()
    await page.getByLabel('At most in a month').fill('75')
    await press('Save')
    await page.getByText('of at most').waitFor()
    await expectPage()
    await page.getByRole('button', { name: /^Remove / }).click()
    await expectPage()
    await press('Remove', dialog())
    await noDialog(page)
    await page.getByText('No payment method is saved yet').waitFor()
  })
})
