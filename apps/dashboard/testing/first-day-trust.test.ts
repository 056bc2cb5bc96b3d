import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../../../tests/browser/chromium.ts'
import { freePort } from '../../../tests/nodes/free-port.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { buildDashboard } from './built.ts'
import { keyAction } from './steps.ts'
import { errorAt, newVisitor, noDialog, operatorAccount, signUp, type Visitor } from './visitor.ts'

const chromium = findChromium()
const patient = { timeout: 15_000 }

/** What must hold if something goes wrong: an invalid form, a blocked tab, an unreachable gateway. */
describe.skipIf(chromium === undefined)('the first day with failures', { timeout: 90_000 }, () => {
  let browser: Browser
  let node: TestNode
  let visitor: Visitor
  let page: Page
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-trust-'))
  let port: number

  const start = (): Promise<TestNode> =>
    startTestNode({ dataDir, port, input: { server: { public_url: `http://127.0.0.1:${port}` } } })

  beforeAll(async () => {
    await buildDashboard()
    port = await freePort()
    node = await start()
    browser = await launchChromium(chromium!)
    visitor = await newVisitor(browser, node)
    page = visitor.page
    await signUp(visitor, node, 'ada@example.com')
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await node.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const go = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click()
  const dialog = (): Locator => page.getByRole('dialog')
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const focused = (): Promise<string> =>
    page.evaluate(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.slice(0, 40)',
    )

  test('a form error is shown in words at its field, and closing returns the focus', async () => {
    await page.goto(`${node.origin}/keys`)
    await button('Create a key').click()
    await dialog().getByLabel('Name').fill('k')
    await dialog().getByLabel('Spend limit').fill('a lot')
    await dialog().getByRole('button', { name: 'Create the key' }).click()
    expect(await errorAt(dialog().getByLabel('Spend limit'))).toMatch(/^Expected \S/)
    expect(await dialog().innerText()).not.toContain('spend_limit_usd')
    expect(await page.evaluate('document.activeElement.placeholder')).toBe('no limit')
    await page.keyboard.press('Escape')
    await noDialog(page)
    await expect.poll(focused, patient).toBe('Create a key')
    await button('Create a key').click()
    await dialog().getByLabel('Name').fill('k')
    await dialog().getByRole('button', { name: 'Create the key' }).click()
    await button('I have saved it').click()
    await noDialog(page)
    await expect.poll(focused, patient).toBe('Create a key')
    await keyAction(page, 'k', 'Edit name and limits')
    await page.keyboard.press('Escape')
    await noDialog(page)
    await expect.poll(focused, patient).toBe('Actions of k')
    await go('Credit')
    await page.getByLabel('Amount').fill('1')
    await button('Go to the checkout').click()
    expect(await errorAt(page.getByLabel('Amount'))).toMatch(/^Expected from 5/)
    expect(await page.locator('#page').innerText()).not.toContain('amount_usd')
    expect(page.context().pages()).toHaveLength(1)
  })

  test('a rotated key says when it expires, and a key without credit says so', async () => {
    await page.goto(`${node.origin}/keys`)
    await page.getByText('no credit: cannot pay').waitFor()
    await keyAction(page, 'k', 'Rotate')
    await dialog().getByRole('button', { name: 'Rotate key' }).click()
    await button('I have saved it').click()
    await page.getByText(/^rotated, stops at \d\d:\d\d|^rotated, stops at \d+ \w+, /).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: 'rotated, stops' })
      .getByRole('button', { name: 'Actions of k' })
      .click()
    await page.getByRole('menuitem', { name: 'Revoke', exact: true }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Rotate', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('a key with a negative balance says so', async () => {
    const { data } = await node.admin<{ data: { id: string }[] }>('/accounts')
    const move = (kind: string): Promise<unknown> =>
      node.admin(`/accounts/${data[0]!.id}/credits`, {
        method: 'POST',
        body: { kind, amount_usd: '7', reason: 'test' },
      })
    await move('refund')
    await page.goto(`${node.origin}/keys`)
    const row = page.getByRole('row').filter({ hasText: 'negative balance: cannot pay' })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/[-−]\s?\$7\.00/)
    await move('grant')
    await page.reload()
    await page.getByText('no credit: cannot pay').waitFor()
    expect(await row.count()).toBe(0)
  })

  test('the checkout opens by itself; if the browser blocks it, the page shows a link', async () => {
    await page.goto(`${node.origin}/credit`)
    const opened = page.context().waitForEvent('page')
    await button('Go to the checkout').click()
    const checkout = await opened
    await checkout.getByRole('button', { name: /^Pay 25 USD/ }).waitFor()
    expect(await checkout.evaluate('window.opener')).toBeNull()
    await page.getByText('Pay in the tab that has opened').waitFor()
    await checkout.close()
    await page.evaluate('window.open = () => null')
    await button('Go to the checkout').click()
    await page.getByText('Your browser blocked the checkout').waitFor()
    const again = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the checkout' }).click()
    await (await again).close()
  })

  test('an operator is offered no action that the API refuses', async () => {
    await operatorAccount(node)
    await page.goto(`${node.origin}/operator`)
    await button('Actions of Ada Lovelace').click()
    await page.getByRole('menuitem', { name: 'Status and tier' }).click()
    await dialog().getByText('This account is an operator.').waitFor()
    expect(await dialog().getByRole('switch').count()).toBe(0)
    await dialog().getByLabel('Tier').fill(' '.repeat(3))
    await dialog().getByRole('button', { name: 'Save' }).click()
    expect(await errorAt(dialog().getByLabel('Tier'))).toMatch(/^Expected \S/)
    await dialog().getByLabel('Tier').fill('free')
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await dialog().getByRole('button', { name: 'Save' }).click()
    expect((await answered).status()).toBe(200)
    await noDialog(page)
  })

  test('an upstream without any calls is not shown as working', async () => {
    const key = await node.createKey()
    const response = await node.chat(key, {
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: '[sandbox: error=500]' }],
    })
    expect(response.status).toBeGreaterThanOrEqual(500)
    await page.goto(`${node.origin}/operator?show=upstreams`)
    const row = page
      .getByRole('region', { name: 'Upstreams', exact: true })
      .getByRole('row')
      .filter({ hasText: 'sandbox/echo' })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/failing|resting/)
    expect(await row.innerText()).not.toContain('working')
  })

  test('an unreachable gateway is reported, loses no key, and is picked up again afterwards', async () => {
    await page.goto(`${node.origin}/keys`)
    await button('Create a key').click()
    await dialog().getByLabel('Name').fill('kept')
    await dialog().getByRole('button', { name: 'Create the key' }).click()
    const raw = await dialog().getByRole('region', { name: 'The new key' }).textContent()
    await button('I have saved it').click()
    await noDialog(page)
    // Otherwise pages of earlier tests would be loaded from the cache.
    const network = await page.context().newCDPSession(page)
    await network.send('Network.clearBrowserCache')
    await node.stop()
    // One page with a style sheet and one with only a script: browsers report the two failures differently.
    for (const name of ['Playground', 'Credit']) {
      await go(name)
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    }
    await go('Keys')
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.getByText('The gateway has not responded since').waitFor()
    await page.getByText('kept', { exact: true }).waitFor()
    node = await start()
    await page.getByText('The gateway has not responded since').waitFor({ state: 'detached' })
    await go('Playground')
    await page.getByLabel('Message').waitFor()
    // The steps of a new account contain the key that was created in this tab.
    await go('Home')
    expect(raw).toMatch(/^sk-turnpike-/)
    await expect.poll(() => page.locator('#page').textContent(), { timeout: 10_000 }).toContain(raw)
  })

  test('signing out in one tab signs out all of them', async () => {
    const other = await visitor.context.newPage()
    await other.goto(`${node.origin}/keys`)
    await other.getByRole('button', { name: 'Create a key' }).click()
    await other.getByRole('dialog').getByLabel('Name').fill('made after the end')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    expect(await other.getByRole('dialog').count()).toBe(0)
    expect(await other.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/access_token|refresh_token/)
    await page.getByRole('button', { name: /sign out|yes/i }).click()
    await page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    await other.goto(`${node.origin}/keys`)
    await other.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
  })
})
