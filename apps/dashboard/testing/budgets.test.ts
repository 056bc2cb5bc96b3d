import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage } from './accessible.ts'
import { seedRequests } from './seed.ts'
import { choose, dialog, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { noDialog, operatorAccount, signUp, type Visitor } from './visitor.ts'

/** Budgets from the first one on, with existing usage. The tests build on each other. */
describeInBrowser('budgets', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard({ bypassCSP: true }))
    await signUp(visitor, node, 'ada@example.com')
    const accountId = await operatorAccount(node)
    const key = await node.createKey({ accountId })
    await seedRequests(node, [key], { count: 3_000, days: 40 })
  }, 120_000)

  const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name })

  test('the first one covers the whole account, and counts earlier spend', async () => {
    await page.getByRole('link', { name: 'Budgets', exact: true }).click()
    await page.getByText('No budgets yet').waitFor()
    await expectPage(page)
    await press(page, 'New budget')
    await dialog(page).getByLabel('Name').fill('All of it')
    await dialog(page).getByLabel('Limit', { exact: true }).fill('-1')
    await press(dialog(page), 'Create budget')
    await dialog(page).getByText('Expected').waitFor()
    await expectPage(page)
    await dialog(page).getByLabel('Limit', { exact: true }).fill('500')
    await press(dialog(page), 'Create budget')
    await noDialog(page)
    await row('All of it').getByText('a month').waitFor()
    expect(await row('All of it').innerText()).not.toContain('$0.00')
  })

  test('others can cover a tag per day, which only notifies, or a model', async () => {
    await press(page, 'New budget')
    await dialog(page).getByLabel('Name').fill('Search team')
    await choose(page, 'On', 'A tag')
    await dialog(page).getByLabel('Tag').fill('team:search')
    await dialog(page).getByLabel('Limit', { exact: true }).fill('2.5')
    await choose(page, 'Period', 'a day')
    await dialog(page).getByRole('radio', { name: 'Notify only' }).click()
    await press(dialog(page), 'Create budget')
    await noDialog(page)
    await row('Search team').getByText('tag team:search').waitFor()
    await row('Search team').getByText('notify only').waitFor()
    await press(page, 'New budget')
    await dialog(page).getByLabel('Name').fill('Echo')
    await choose(page, 'On', 'A model')
    await choose(page, 'Model', 'sandbox/echo')
    await dialog(page).getByLabel('Limit', { exact: true }).fill('1')
    await press(dialog(page), 'Create budget')
    await noDialog(page)
    await row('Echo').getByText('model sandbox/echo').waitFor()
    await expectPage(page)
  })

  test('the page of a budget shows what is left by day, the forecast, and the cost of each day', async () => {
    await page.getByRole('link', { name: 'All of it', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'All of it' }).waitFor()
    await page.locator('path[data-series="Left"]').waitFor({ state: 'attached' })
    await page.locator('path[data-series="Forecast"]').waitFor({ state: 'attached' })
    await expectPage(page)
    const text = await page.getByText('Counted by the budget since').innerText()
    const [, counted, ledger] = /: (\$[\d.,]+); according to the ledger: (\$[\d.,]+)\.$/.exec(text)!
    expect(counted).toBe(ledger)
    await page.getByRole('main').getByRole('link', { name: 'Budgets', exact: true }).click()
    await page.getByRole('link', { name: 'Search team', exact: true }).click()
    await page.locator('path[data-limit]').waitFor({ state: 'attached' })
    await expectPage(page)
    await page.getByRole('link', { name: 'View usage' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    expect(new URL(page.url()).searchParams.get('tag')).toBe('team:search')
    // The daily budget is drawn there.
    await page.locator('path[data-limit]').waitFor({ state: 'attached' })
    await expectPage(page)
  })

  test('the limit can be raised and a budget deleted; its subject and period cannot be changed', async () => {
    await page.goto(`${node.origin}/budgets`)
    await press(page, 'Actions of All of it')
    await page.getByRole('menuitem', { name: 'Change' }).click()
    expect(await dialog(page).getByRole('combobox', { name: 'On' }).count()).toBe(0)
    await dialog(page).getByLabel('Limit', { exact: true }).fill('750')
    await expectPage(page)
    await press(dialog(page), 'Save')
    await noDialog(page)
    await row('All of it').getByText('$750.00').waitFor()
    await press(page, 'Actions of Echo')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(dialog(page), 'Delete')
    await noDialog(page)
    await expect.poll(() => row('Echo').count()).toBe(0)
    await page.goto(`${node.origin}/budgets/bud_00000000000000000000000000`)
    await page.getByText('Budget not found').waitFor()
    expect(visitor.complaints.filter((text) => !/status of (400|404)/.test(text))).toEqual([])
  })
})
