import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { shortUsd } from '../format/money.ts'
import { expectAccessible, screen } from './accessible.ts'
import { roundTrips } from './round-trips.ts'
import { seedRequests } from './seed.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { operatorAccount, signUp } from './visitor.ts'

/** Addresses of views; `:request` stands for the ID of an existing request. */
const views = [
  '/',
  '/keys',
  '/keys?action=new',
  '/usage',
  '/usage?by=model&against=tag&days=90',
  '/usage?by=tag:team&days=1',
  '/usage?outcome=failed',
  '/usage?by=endpoint&against=model&operation=generate',
  '/health',
  '/health?days=7&unit=hour&by=tag:team&errors=requests',
  '/health?days=365&by=day&measure=cache',
  '/requests',
  '/requests?endpoint=messages',
  '/requests/:request',
  '/credit',
  '/credit?show=ledger',
  '/credit?show=automatic',
  '/projects',
  '/projects?action=new',
  '/projects/prj_00000000000000000000000000',
  '/budgets',
  '/budgets?action=new',
  '/alerts',
  '/alerts?show=recipients',
  '/alerts?show=recipients&action=new',
  '/alerts?show=deliveries',
  '/organization',
  '/organization?action=new',
  '/join',
  '/models',
  '/models?q=echo&can=json&context=32000&pick=sandbox/echo&pick=sandbox/lorem',
  '/models/sandbox/echo',
  '/models/sandbox/rerank',
  '/models/turnpike/auto',
  '/models/nobody/nothing',
  '/compare',
  '/compare?models=sandbox/echo&models=turnpike/auto&models=sandbox/embed&models=gone/model',
  '/playground',
  '/connect',
  '/settings',
  '/settings?show=sessions',
  '/settings?show=billing',
  '/settings?show=data',
  '/operator',
  '/operator?show=revenue',
  '/operator?show=upstreams',
  '/operator?show=prices',
  '/operator?show=books',
  '/nothing-here',
]

describeInBrowser('every page', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page
  let accountId: string
  let requestId: string

  beforeAll(async () => {
    // The test injects the accessibility rules, which the page's own policy would not allow.
    ;({ node, page } = await openDashboard({ bypassCSP: true }))
    await signUp({ page }, node, 'ada@example.com')
    accountId = await operatorAccount(node)
  }, 120_000)

  async function open(view: string): Promise<void> {
    await page.goto(node.origin + view.replace(':request', requestId))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }

  const check = (view: string): void => {
    test(`${view} is accessible in both themes, and fits a phone`, async () => {
      await page.setViewportSize(screen)
      await open(view)
      await expectAccessible(page)
    })
  }

  describe('of a new account', () => {
    for (const view of views.filter((one) => !one.includes(':request'))) check(view)
  })

  describe('with usage', () => {
    beforeAll(async () => {
      const keys: TestKey[] = []
      for (let count = 0; count < 3; count++) keys.push(await node.createKey({ accountId }))
      await seedRequests(node, keys, { count: 50_000, days: 365 })
      const recent = await node.admin<{ data: { id: string }[] }>('/usage/requests?limit=1')
      requestId = recent.data[0]!.id
    }, 300_000)

    for (const view of views) check(view)

    test("a year of usage takes three round trips: page, shell, page's code with its data", async () => {
      await page.setViewportSize(screen)
      const address = `${node.origin}/usage?days=365&by=tag:team`
      await page.goto(address)
      const isThere = async (): Promise<boolean> =>
        (await page.getByRole('row').filter({ hasText: 'search' }).count()) > 0 &&
        (await page.locator('path[data-series]').count()) > 0
      const waves = await roundTrips(page, address, isThere)
      expect(waves, JSON.stringify(waves, null, 1)).toHaveLength(3)
      const apiPaths = waves.flat().filter((path) => path.startsWith('/api/'))
      expect(apiPaths.filter((path) => path.startsWith('/api/v1/usage'))).toHaveLength(4)
      expect(apiPaths.length).toBeLessThanOrEqual(6)
      // Bars by day would be some 2,500 more.
      expect(await page.locator('*').count()).toBeLessThan(2_500)
    })

    test('a year of usage is shown at once', async () => {
      const times: number[] = []
      for (let run = 0; run < 3; run++) {
        await page.goto(`${node.origin}/usage?days=365&by=tag:team`)
        await page.getByRole('row').filter({ hasText: 'search' }).waitFor()
        await page.locator('path[data-series]').first().waitFor({ state: 'attached' })
        times.push(await page.evaluate('performance.now()'))
      }
      // No limit is asserted: the times depend as much on the machine as on the page.
      const durations = times.map((time) => Math.round(time)).join(', ')
      process.stderr.write(`usage of 365 days with 50,000 requests, figures and chart: ${durations} ms\n`)
    })

    test('an operator sees revenue and vendor cost, in total and of one model', async () => {
      await page.setViewportSize(screen)
      await open('/operator?show=revenue')
      const all =
        await node.admin<Record<'total_cost_usd' | 'total_vendor_cost_usd', string>>('/usage?days=30')
      const total = await page.getByRole('row', { name: 'Total' }).innerText()
      for (const amount of [all.total_cost_usd, all.total_vendor_cost_usd])
        expect(total).toContain(shortUsd(amount))
      // The test data is that of a gateway that did not always record the vendor cost.
      await page.getByText('of the revenue is unknown').waitFor()
      await page.getByRole('link', { name: 'openai/gpt-5-mini', exact: true }).click()
      await page.getByText('openai/gpt-5-mini, by day').waitFor()
      await page.getByRole('link', { name: 'All models' }).click()
      await page.getByText('All models, by day').waitFor()
    })

    test('nothing moves once it is shown', async () => {
      await page.setViewportSize(screen)
      await page.addInitScript(`
        window.shifted = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
        }).observe({ type: 'layout-shift', buffered: true })`)
      for (const view of ['/', '/usage', '/health', '/requests', '/keys', '/credit', '/models']) {
        await open(view)
        // Chrome's limit for good pages (https://web.dev/articles/cls).
        expect(await page.evaluate('window.shifted'), view).toBeLessThan(0.1)
      }
    })
  })
})
