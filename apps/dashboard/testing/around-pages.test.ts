import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, expectPage, phone, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { noDialog, operatorAccount, password, signUp } from './visitor.ts'

/** The number of focusable elements before a page's own content. */
const tabs = 6

/** What surrounds the pages: the sign-in, the navigation on a phone, and dialogs. */
describeInBrowser('around the pages', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page
  let key: TestKey

  beforeAll(async () => {
    ;({ node, page } = await openDashboard({ bypassCSP: true }))
  }, 120_000)

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const menu = () => page.getByRole('navigation', { name: 'Dashboard' })

  test('the sign-in is accessible, including its errors', async () => {
    await page.goto(node.origin)
    await button('Sign in or create an account').waitFor()
    await expectAccessible(page)
    await button('Sign in or create an account').click()
    await page.getByLabel('Email').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password').fill(password)
    await button('Sign in').click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Name (optional)').waitFor()
    await expectPage(page)
    await signUp({ page }, node, 'ada@example.com')
    key = await node.createKey({ accountId: await operatorAccount(node) })
  })

  test('the navigation on a phone takes no focus while closed, and returns it on closing', async () => {
    await page.setViewportSize(phone)
    await page.goto(`${node.origin}/keys`)
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    for (let count = 0; count < tabs; count++) {
      await page.keyboard.press('Tab')
      expect(await menu().locator(':focus').count(), `Tab ${count + 1}`).toBe(0)
    }
    await button('Navigation').click()
    await page.getByRole('link', { name: 'Usage', exact: true }).waitFor()
    await expect.poll(() => menu().locator(':focus').count()).toBe(1)
    await expectAccessible(page)
    await page.setViewportSize(phone)
    // At a width of 1440 there was nothing to close.
    await button('Close the navigation').focus()
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'hidden' })
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Navigation')
    await button('Navigation').click()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await menu().waitFor({ state: 'hidden' })
  })

  test.each(['limits', 'rotate', 'payer', 'transfer', 'revoke'])(
    'the key dialog "%s" is accessible and fits a phone',
    async (action) => {
      await page.setViewportSize(screen)
      await page.goto(`${node.origin}/keys?action=${action}&key=${key.id}`)
      await page.getByRole('dialog').waitFor()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
    },
  )

  test.each([
    ['was refused', { outcome: 'failed', status: 402, errorType: 'insufficient_quota' }],
    ['was cut off', { outcome: 'upstream_cut' }],
  ] as const)('the page of a request that %s is accessible', async (_, more) => {
    const record = newRecord(key, { ...more, startedAtMs: Date.now() })
    await node.storage.requests.write('node_a', [record])
    await page.setViewportSize(screen)
    await page.goto(`${node.origin}/requests/${record.id}`)
    await page.getByRole('alert').waitFor()
    await page.waitForLoadState('networkidle')
    await expectAccessible(page)
  })

  test('a new key and the account menu are accessible', async () => {
    await page.setViewportSize(screen)
    await page.goto(`${node.origin}/keys?action=new`)
    await page.getByRole('dialog').getByLabel('Name').fill('laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click()
    await button('I have saved it').waitFor()
    await expectAccessible(page)
    await button('I have saved it').click()
    await noDialog(page)
    await page.setViewportSize(screen)
    await button('Account menu').click()
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  test('the calendar of a range is accessible, and closes on Escape', async () => {
    await page.setViewportSize(screen)
    await page.goto(`${node.origin}/usage`)
    await button('From – to, UTC').click()
    await button('Previous month').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button('Previous month').waitFor({ state: 'detached' })
  })

  test('the checkout and the page that follows it are accessible', async () => {
    await page.setViewportSize(screen)
    await page.goto(`${node.origin}/credit`)
    const opened = page.context().waitForEvent('page')
    await button('Go to the checkout').click()
    const checkout = await opened
    await checkout.getByRole('button', { name: /^Pay 25 USD/ }).waitFor()
    await expectAccessible(checkout)
    await page.getByText('Pay in the tab that has opened').waitFor()
    await expectAccessible(page)
    await checkout.getByRole('button', { name: /^Pay 25 USD/ }).click()
    await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
    await expectAccessible(checkout)
    await checkout.close()
    await page.getByText('$25.00 received').waitFor()
    await expectAccessible(page)
  })
})
