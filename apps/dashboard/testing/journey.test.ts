import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { dialog, go, keyAction, payAtCheckout } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { noDialog, operatorAccount, signUp, type Visitor } from './visitor.ts'

/** A new customer's first day, from the sign-up on. The tests build on each other. */
describeInBrowser('the first day', { timeout: 60_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard({ acceptDownloads: true }))
  }, 120_000)

  const press = (name: string, within: Locator = page.locator('body')): Promise<void> =>
    within.getByRole('button', { name }).click()

  test('starts with a sign-up, and shows the first steps', async () => {
    await signUp(visitor, node, 'ada@example.com')
    await page.getByText('Three steps to the first request').waitFor()
    const stored = await page.evaluate('JSON.stringify(localStorage)')
    expect(stored).not.toContain('token')
  })

  test('creates a key, which is shown once, and puts it into the snippet', async () => {
    await page.getByRole('link', { name: 'Create a key' }).click()
    await dialog(page).getByLabel('Name').fill('laptop')
    await press('Create the key', dialog(page))
    const raw = await dialog(page).getByRole('region', { name: 'The new key' }).textContent()
    expect(raw).toMatch(/^sk-turnpike-\w{38}$/)
    await page.keyboard.press('Escape')
    await press('I have saved it')
    expect(await page.content()).not.toContain(raw)
    await go(page, 'Home')
    expect(await page.getByRole('region', { name: 'First request in curl' }).textContent()).toContain(raw!)
  })

  test('buys credit at the checkout, and shows it once it has arrived', async () => {
    await go(page, 'Credit')
    await page.getByLabel('Amount').fill('25')
    await payAtCheckout(page)
    await page.getByText('All transactions', { exact: true }).click()
    await page.getByRole('row').getByText('Top-up', { exact: true }).waitFor()
  })

  test('chats in the playground, and shows the cost', async () => {
    await go(page, 'Playground')
    await page.getByLabel('Tags', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Tags' }).fill('team:first')
    await page.keyboard.press('Enter')
    await page.getByLabel('Message').fill('Hello there! [sandbox: pace=0]')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Details' }).waitFor()
    const answer = await page.getByRole('log').textContent()
    expect(answer).toMatch(/\$0\.0\d+/)
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    const code = page.getByRole('region', { name: 'Chat completions in curl' })
    expect(await code.textContent()).toContain('Hello there! [sandbox: pace=0]')
    await page.getByLabel('API').selectOption('Messages')
    await page.getByRole('tab', { name: 'Python' }).click()
    const messagesCode = await page.getByRole('region', { name: 'Messages in Python' }).textContent()
    expect(messagesCode).toContain('metadata={"tags": ["playground", "team:first"]}')
    expect(messagesCode).not.toContain('sk-turnpike')
    await page.keyboard.press('Escape')
    await noDialog(page)
    await page.getByLabel('System prompt').fill('Be brief.')
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await page.getByLabel('API').selectOption('Completions')
    await page.getByText('Remove the system prompt').waitFor()
    await page.keyboard.press('Escape')
    await noDialog(page)
    await page.getByRole('link', { name: 'Details' }).click()
    await page.getByText('until the first token').waitFor()
  })

  test('shows the usage by tag, filters it and exports it', async () => {
    await go(page, 'Usage')
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'Tag', exact: true }).click()
    await page.getByRole('link', { name: 'team:first' }).click()
    await page.waitForURL(/tag=team%3Afirst/)
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'team:first' })
    expect(await row.textContent()).toMatch(/\$0\.0\d+/)
    for (const [item, expected] of [
      ['This table (CSV)', /^tag,total_requests,.*\r\n/],
      ['Every request (CSV)', /team:first/],
    ] as const) {
      await press('Export')
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: item }).click()
      expect(readFileSync(await (await download).path(), 'utf8')).toMatch(expected)
    }
  })

  test('finds the requests of an endpoint', async () => {
    await page.goto(`${node.origin}/usage?by=endpoint`)
    await page.getByRole('link', { name: 'Chat completions' }).click()
    await page.waitForURL(/endpoint=chat.completions/)
    await go(page, 'Requests')
    await page.getByRole('combobox', { name: 'Endpoint' }).click()
    await page.getByRole('option', { name: 'Messages' }).click()
    await page.getByText('Try other filters or a longer range.').waitFor()
    await page.getByRole('combobox', { name: 'Endpoint' }).click()
    await page.getByRole('option', { name: 'Chat completions' }).click()
    await page.getByTitle('API: Chat completions').first().waitFor()
  })

  test('rotates the key and revokes its successor', async () => {
    await go(page, 'Keys')
    await keyAction(page, 'laptop', 'Rotate')
    await dialog(page).getByRole('combobox', { name: 'Keep the old key working' }).click()
    await page.getByRole('option', { name: 'No, stop it now' }).click()
    await press('Rotate key', dialog(page))
    await press('I have saved it')
    await keyAction(page, 'laptop', 'Revoke')
    await dialog(page)
      .getByText(/stays on the account|goes to/)
      .waitFor()
    await dialog(page).getByLabel('Type laptop to confirm').fill('laptop')
    await press('Revoke permanently', dialog(page))
    await noDialog(page)
    await page.getByText('Revoked', { exact: true }).click()
    await page.getByText('laptop').first().waitFor()
  })

  test('gives credit as an operator, and verifies the books', async () => {
    await operatorAccount(node)
    await page.reload()
    await go(page, 'Operator')
    await keyAction(page, 'Ada Lovelace', 'Adjust credit')
    await dialog(page).getByLabel('Amount').fill('3.5')
    await dialog(page).getByLabel('Reason').fill('welcome')
    await press('Post', dialog(page))
    await noDialog(page)
    await page.locator('label').getByText('Books', { exact: true }).click()
    await press('Verify ledger')
    await page.getByText('No differences').waitFor()
  })

  test('signs out', async () => {
    await press('Account menu')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /sign out|yes/i }).click()
    await page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/access_token|refresh_token/)
  })

  test('sends no request to other origins, and causes no browser error', () => {
    expect([visitor.elsewhere, visitor.complaints]).toEqual([[], []])
  })
})
