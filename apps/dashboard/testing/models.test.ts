import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, screen } from './accessible.ts'
import { roundTrips } from './round-trips.ts'
import { seedRequests } from './seed.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, operatorAccount, password, signUp, type Visitor } from './visitor.ts'

const many = 1_000
const soon = { timeout: 20_000 }

describeInBrowser('models', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    const pricing = { prompt: '0.0000001', completion: '0.0000002' }
    const numbers = Array.from({ length: many }, (_, index) => index)
    const input = {
      dashboard: { public_models: true },
      providers: {
        openai: { api_keys: ['k'] },
        anthropic: { api_keys: ['k'] },
        house: { style: 'openai' as const, base_url: 'http://127.0.0.1:9/v1', api_keys: ['k'] },
      },
      models: {
        'openai/gpt-5-mini': {
          upstreams: [
            { provider: 'openai', model: 'gpt-5-mini' },
            {
              provider: 'house',
              model: 'gpt-5-mini',
              pricing: { prompt: '0.0000003', completion: '0.0000024' },
            },
          ],
          fallbacks: ['anthropic/claude-haiku-4-5'],
        },
        'house/of: 100% cards?#1': { pricing, upstreams: [{ provider: 'house', model: 'x' }] },
        ...Object.fromEntries(
          numbers.map((one) => [
            `house/card-${one}`,
            { pricing, upstreams: [{ provider: 'house', model: `${one}` }] },
          ]),
        ),
      },
    }
    ;({ browser, node, visitor, page } = await openDashboard({ bypassCSP: true }, input))
    await signUp(visitor, node, 'ada@example.com')
    const accountId = await operatorAccount(node)
    const keys = [await node.createKey({ accountId })]
    for (let count = 0; count < 3; count++) keys.push(await node.createKey())
    await seedRequests(node, keys, { count: 6_000, days: 9 })
  }, 120_000)

  const open = async (view: string): Promise<void> => {
    await page.goto(node.origin + view)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  const rows = (): Promise<string[]> =>
    page.getByRole('region', { name: 'Models' }).locator('tbody tr code').allInnerTexts()

  test('can be searched and filtered, and the address keeps both', async () => {
    await open('/models')
    await page.getByLabel('Search models').fill('gpt4o')
    await expect.poll(async () => (await rows())[0], soon).toBe('openai/gpt-4o')
    expect(await rows()).toContain('openai/gpt-4o-mini')
    expect((await rows()).every((id) => id.includes('gpt-4o'))).toBe(true)

    await open('/models?can=embeddings')
    expect((await rows()).every((id) => /embed/.test(id))).toBe(true)
    await page.getByText('Rerank', { exact: true }).click()
    await page.getByText('No matching models').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Reasoning', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Input price' }).click()
    await page.getByRole('option', { name: 'up to $0.5' }).click()
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'Cheapest output' }).click()
    await expect.poll(() => new URL(page.url()).search, soon).toBe('?can=reasoning&price=0.5&order=output')
    await expect.poll(async () => (await rows())[0], soon).toBe('openai/gpt-5-nano')
    const cheap = await rows()
    expect(cheap).toContain('openai/gpt-5-mini')
    expect(cheap).not.toContain('openai/gpt-4o')
    // The address shows the same to somebody else.
    await page.reload()
    await expect.poll(rows, soon).toEqual(cheap)
  })

  test('are listed at once, even a thousand of them', async () => {
    await open('/models')
    await expect.poll(async () => (await rows()).length, soon).toBe(100)
    expect(await page.locator('*').count()).toBeLessThan(4_000)
    await page.getByRole('button', { name: /Show more \(\d/ }).click()
    await expect.poll(async () => (await rows()).length, soon).toBe(200)
    const address = `${node.origin}/models`
    const isThere = async (): Promise<boolean> => (await rows()).length > 0
    expect(await roundTrips(page, address, isThere)).toHaveLength(3)
  })

  test('have a page each, by their ID', async () => {
    await open('/models?q=gpt-5%20mini')
    await page.getByRole('link', { name: 'GPT-5 mini' }).first().click()
    await expect.poll(() => new URL(page.url()).pathname, soon).toBe('/models/openai/gpt-5-mini')
    await page.getByRole('heading', { level: 1, name: 'GPT-5 mini' }).waitFor()
    const prices = page.getByRole('region', { name: 'Prices' })
    await expect.poll(() => prices.getByRole('row', { name: 'Cached input' }).count(), soon).toBe(1)
    expect(await prices.getByRole('columnheader', { name: 'Tier priority' }).count()).toBe(1)
    const providers = page.getByRole('region', { name: 'Providers' })
    // The providers come with an answer of their own.
    await expect.poll(() => providers.locator('tbody tr').count(), soon).toBe(2)
    const [first, second] = await providers.locator('tbody tr').allInnerTexts()
    // Uptimes come from four accounts, in whole days, and never show how many requests others sent.
    expect(first).toMatch(/openai[\s\S]*\d+ %[\s\S]*ms[\s\S]*\$0\.25\s+\$2\.00/)
    expect(first).not.toContain('of yours')
    expect(second).toMatch(/house[\s\S]*\$0\.30\s+\$2\.40/)
    await page.getByRole('link', { name: 'anthropic/claude-haiku-4-5' }).click()
    await page.getByRole('heading', { level: 1, name: 'Claude Haiku 4.5' }).waitFor()
  })

  test('show the uptime of each of the last days', async () => {
    await page.goto(`${node.origin}/models/openai/gpt-5-mini`)
    const providers = page.getByRole('region', { name: 'Providers' })
    const days = providers.getByRole('img', { name: /^Uptime by day: \d+ \w+: / }).first()
    await days.waitFor()
    expect((await days.getAttribute('aria-label'))!.match(/%|not known/g)).toHaveLength(7)
  })

  test('are linked from requests and from usage', async () => {
    await page.goto(`${node.origin}/requests`)
    const served = page.getByRole('region', { name: 'Requests' }).getByRole('link', { name: /\// }).first()
    const id = (await served.textContent())!
    await served.click()
    await expect.poll(() => decodeURIComponent(new URL(page.url()).pathname), soon).toBe(`/models/${id}`)
    await page.goto(`${node.origin}/usage?by=model`)
    await page.getByRole('link', { name: `About ${id}` }).click()
    await expect.poll(() => decodeURIComponent(new URL(page.url()).pathname), soon).toBe(`/models/${id}`)
  })

  test('have working addresses, whatever characters their names contain', async () => {
    await open('/models?q=cards')
    await page.getByRole('link', { name: /100% cards/ }).click()
    await page.getByRole('heading', { level: 1, name: /100% cards/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /100% cards/ }).waitFor()
    await page.getByText('speaks Chat completions').waitFor()
    expect(await page.getByRole('region', { name: 'Chat completions in curl' }).innerText()).toContain(
      '"model": "house/of: 100% cards?#1"',
    )
  })

  test('that do not exist lead to a page with similar names', async () => {
    await open('/models/openai/gpt5mini')
    await page.getByText('Model not found').waitFor()
    await page.getByRole('link', { name: 'openai/gpt-5-mini', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'GPT-5 mini' }).waitFor()
  })

  test('take three round trips to load a model page', async () => {
    const address = `${node.origin}/models/openai/gpt-5-mini`
    const isThere = async (): Promise<boolean> =>
      (await page.getByRole('region', { name: 'Providers' }).count()) > 0
    const waves = await roundTrips(page, address, isThere)
    expect(waves, JSON.stringify(waves, null, 1)).toHaveLength(3)
  })

  test('of auto-routing show the maximum price, and the recent cost', async () => {
    await open('/models/turnpike/auto')
    expect(await page.getByText('depends', { exact: true }).count()).toBe(2)
    await page
      .getByText(/^at most \$/)
      .first()
      .waitFor()
    await page.getByText('of yours in 30 days').waitFor()
    await page.getByRole('region', { name: 'Candidate models' }).getByRole('link').first().click()
    await page.getByRole('region', { name: 'Providers' }).waitFor()
  })

  test('can be compared, up to four, at an address', async () => {
    await open('/models?q=gpt-5')
    for (const index of [0, 1, 2, 3])
      await page
        .getByRole('checkbox', { name: /^Compare/ })
        .nth(index)
        .check()
    expect(
      await page
        .getByRole('checkbox', { name: /^Compare/ })
        .nth(4)
        .isDisabled(),
    ).toBe(true)
    await page.getByRole('link', { name: 'Compare 4 models' }).click()
    const table = page.getByRole('region', { name: 'Comparison' })
    await expect.poll(() => table.getByRole('columnheader').count(), soon).toBe(5)
    expect(new URL(page.url()).searchParams.getAll('models')).toHaveLength(4)
    await table
      .getByRole('button', { name: /^Remove/ })
      .last()
      .click()
    await page.getByLabel('Add a model').fill('haiku45')
    await page.getByRole('option', { name: 'anthropic/claude-haiku-4-5' }).click()
    await table.getByRole('link', { name: 'Claude Haiku 4.5' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    expect(new URL(page.url()).searchParams.getAll('pick')).toHaveLength(4)
  })

  describe('in public', () => {
    let stranger: Visitor
    const requested: string[] = []

    beforeAll(async () => {
      stranger = await newVisitor(browser, node, { bypassCSP: true })
      stranger.page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    })

    test('are visible without a sign-in, and nothing else is', async () => {
      const { page: at } = stranger
      await at.goto(node.origin)
      await at.getByRole('link', { name: 'View models and prices' }).click()
      await at.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
      await at.getByLabel('Search models').fill('gpt5mini')
      await at.getByRole('link', { name: 'GPT-5 mini' }).click()
      await at.getByRole('region', { name: 'Providers' }).getByText('openai').waitFor()
      expect(await at.getByRole('link', { name: 'Try it' }).count()).toBe(0)
      await at.goto(`${node.origin}/models/turnpike/auto`)
      await at.getByRole('region', { name: 'Candidate models' }).waitFor()
      await at.goto(`${node.origin}/compare?models=openai/gpt-5-mini&models=turnpike/auto`)
      await at.getByRole('region', { name: 'Comparison' }).waitFor()
      await at.waitForLoadState('networkidle')
      const paths = new Set(requested.filter((path) => path.startsWith('/api/')))
      expect([...paths].toSorted()).toEqual([
        '/api/v1/auth/discovery',
        '/api/v1/public/models',
        '/api/v1/public/models/providers',
      ])
      expect([stranger.complaints, stranger.elsewhere]).toEqual([[], []])
      for (const closed of ['/usage', '/keys', '/models-of-nobody']) {
        await at.goto(node.origin + closed)
        await at.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
      }
    })

    for (const view of ['/models', '/models/openai/gpt-5-mini', '/compare?models=openai/gpt-5-mini'])
      test(`${view} is accessible in both themes, and fits a phone`, async () => {
        await stranger.page.setViewportSize(screen)
        await stranger.page.goto(node.origin + view)
        await stranger.page.getByRole('heading', { level: 1 }).waitFor()
        await stranger.page.waitForLoadState('networkidle')
        await expectAccessible(stranger.page)
      })

    test('stay on screen after a sign-in', async () => {
      const { page: at } = stranger
      await at.setViewportSize(screen)
      await at.goto(`${node.origin}/models/openai/gpt-5-mini`)
      await at.getByRole('button', { name: 'Sign in' }).click()
      await at.getByLabel('Email').fill('ada@example.com')
      await at.getByLabel('Password').fill(password)
      await at.getByRole('button', { name: 'Sign in' }).click()
      await at.getByRole('link', { name: 'Try it' }).waitFor()
      expect(new URL(at.url()).pathname).toBe('/models/openai/gpt-5-mini')
    })
  })

  test('require a sign-in if the operator has not opened them', async () => {
    const closed = await startTestNode({ input: { server: { port: 0 } } })
    const stranger = await newVisitor(browser, closed)
    for (const view of ['/models', '/models/sandbox/echo', '/compare']) {
      await stranger.page.goto(closed.origin + view)
      await stranger.page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
      expect(await stranger.page.getByRole('link').count()).toBe(0)
    }
    expect(stranger.complaints).toEqual([])
    await closed.stop()
  })
})
