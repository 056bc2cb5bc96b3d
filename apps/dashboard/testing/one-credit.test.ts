import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ClaudeCode } from '../../server/identity/testing/claude-code.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage, screen } from './accessible.ts'
import { dialog, go, keyAction, payAtCheckout, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { errorAt, noDialog, signUp, type Visitor } from './visitor.ts'

/**
 * Every key can spend the account's credit, so that nobody has to move any. The tests depend on each
 * other's order.
 */
describeInBrowser('the credit of an account', { timeout: 60_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page
  /** The page's requests that move credit, and the 402 responses. */
  const moved: string[] = []
  const refused: string[] = []

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard({ bypassCSP: true }))
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/transfer')) moved.push(request.url())
    })
    page.on('response', (response) => {
      if (response.status() === 402) refused.push(response.url())
    })
  }, 120_000)

  const row = (name: string): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Actions of ${name}`, exact: true }) })
  const choose = async (field: string, option: RegExp, within: Locator = dialog(page)): Promise<void> => {
    await within.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  /** @returns the raw key */
  const makeKey = async (name: string, credit?: RegExp): Promise<string> => {
    await press(page, 'Create a key')
    await dialog(page).getByLabel('Name').fill(name)
    if (credit !== undefined) await choose('Credit', credit)
    await press(dialog(page), 'Create the key')
    const raw = await dialog(page).getByRole('region', { name: 'The new key' }).textContent()
    await press(page, 'I have saved it')
    await noDialog(page)
    return raw!
  }
  const ask = async (raw: string): Promise<number> => {
    const { status } = await fetch(`${node.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${raw}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/echo',
        messages: [{ role: 'user', content: 'Hello [sandbox: pace=0]' }],
      }),
    })
    return status
  }
  const textOf = async (name: string): Promise<string> => (await row(name).textContent()) ?? ''

  test('pays for the first request of a second key, without another step', async () => {
    await signUp(visitor, node, 'ada@example.com')
    await go(page, 'Credit')
    expect(await page.getByRole('combobox', { name: 'For' }).inputValue()).toBe('The first key you create')
    await payAtCheckout(page)
    await go(page, 'Keys')
    const first = await makeKey('laptop')
    const second = await makeKey('build server')
    expect(await textOf('build server')).toContain('credit of laptop')
    expect([await ask(second), await ask(first)]).toEqual([200, 200])
    expect([moved, refused]).toEqual([[], []])
    await page.goto(node.origin)
    await page.getByText('Spend by day').first().waitFor()
  })

  test('shows whose credit each key uses, and how many keys use it', async () => {
    await go(page, 'Keys')
    expect(await textOf('laptop')).toContain('also for 1 other key')
    const raw = await makeKey('apart', /^Its own$/)
    await expect.poll(() => textOf('apart')).toContain('no credit: cannot pay')
    expect(await ask(raw)).toBe(402)
    await page.setViewportSize(screen)
    await expectPage(page)
  })

  test('lets a key change from its own credit to the account’s, and back', async () => {
    await keyAction(page, 'apart', 'Credit source')
    await choose('Credit', /^Credit of laptop/)
    await press(dialog(page), 'Save')
    await noDialog(page)
    await expect.poll(() => textOf('apart')).toContain('credit of laptop')
    expect(await textOf('laptop')).toContain('also for 2 other keys')
    await keyAction(page, 'laptop', 'Credit source')
    await dialog(page).getByText('Other keys use the credit of laptop: build server, apart').waitFor()
    await page.keyboard.press('Escape')
    await noDialog(page)
    await keyAction(page, 'apart', 'Credit source')
    await choose('Credit', /^Its own$/)
    await press(dialog(page), 'Save')
    await noDialog(page)
    await expect.poll(() => textOf('apart')).toContain('no credit: cannot pay')
  })

  test('moves credit between keys with their own, and explains the effect on the receiving key', async () => {
    await press(page, 'Actions of build server')
    await page.getByRole('menuitem', { name: 'Rotate', exact: true }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Move credit', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await keyAction(page, 'laptop', 'Move credit')
    expect(await dialog(page).getByRole('combobox', { name: 'To' }).inputValue()).toBe('apart')
    await choose('To', /^build server$/)
    await dialog(page).getByText('It currently uses the credit of laptop').waitFor()
    await choose('To', /^apart$/)
    await dialog(page).getByLabel('Amount').fill('all of it')
    await press(dialog(page), 'Move')
    expect(await errorAt(dialog(page).getByLabel('Amount'))).toMatch(/^Expected \S/)
    await dialog(page).getByLabel('Amount').fill('3')
    await press(dialog(page), 'Move')
    await noDialog(page)
    await expect.poll(() => textOf('apart')).toContain('$3.00')
  })

  test('pays for a connected device, too, without a question', async () => {
    const { body } = await new ClaudeCode(node.origin).begin()
    await page.goto(String(body['verification_uri']))
    await page.getByLabel('Code').fill(String(body['user_code']))
    await press(page, 'Continue')
    await page.getByText('Claude Code', { exact: true }).waitFor()
    const credit = page.getByRole('combobox', { name: 'Credit', exact: true })
    expect(await credit.inputValue()).toMatch(/^The account’s: \$2\d\.\d+ on laptop$/)
    await press(page, 'Connect')
    await page.getByText('Claude Code is connected').waitFor()
    expect(await page.getByText('It has no credit yet').count()).toBe(0)
  })

  test('says which key pays next if the paying key is revoked or rotated, and that key does', async () => {
    await page.goto(`${node.origin}/keys`)
    await keyAction(page, 'laptop', 'Rotate')
    await dialog(page)
      .getByText('Keys that use its credit will use the credit of the new one: build server, Claude Code.')
      .waitFor()
    await choose('Keep the old key working', /^No, stop it now/)
    await press(dialog(page), 'Rotate key')
    await press(page, 'I have saved it')
    await noDialog(page)
    await expect.poll(() => textOf('build server')).toContain('credit of laptop')
    await keyAction(page, 'apart', 'Revoke')
    await dialog(page).getByText('Its credit of $3.00 goes to laptop.').waitFor()
    await dialog(page).getByLabel('Type apart to confirm').fill('apart')
    await press(dialog(page), 'Revoke permanently')
    await noDialog(page)
    await keyAction(page, 'laptop', 'Revoke')
    await dialog(page).getByText('build server, which uses its credit, gets it as its own').waitFor()
    await dialog(page)
      .getByText('Other keys that use its credit will use the credit of build server: Claude Code.')
      .waitFor()
    await dialog(page).getByLabel('Type laptop to confirm').fill('laptop')
    await press(dialog(page), 'Revoke permanently')
    await noDialog(page)
    await expect.poll(() => textOf('build server')).toContain('also for 1 other key')
    expect(await textOf('Claude Code')).toContain('credit of build server')
    expect(visitor.complaints.filter((text) => !/status of 40[02]/.test(text))).toEqual([])
  })
})
