import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { seedRequests } from './seed.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { operatorAccount, signUp } from './visitor.ts'

const keyCount = 230
const patient = { timeout: 15_000 }

/** Lists that are longer than a screen, and than one response of the API. */
describeInBrowser('a dashboard with many rows', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page
  const keys: TestKey[] = []

  beforeAll(async () => {
    ;({ node, page } = await openDashboard())
    await signUp({ page }, node, 'ada@example.com')
    const accountId = await operatorAccount(node)
    for (let count = 0; count < keyCount; count++)
      keys.push(await node.createKey({ accountId, creditUsd: count === 0 ? '100' : '0' }))
    await node.admin(`/accounts/${accountId}/keys/${keys[0]!.id}`, {
      method: 'PATCH',
      body: { name: 'first' },
    })
    await node.admin(`/accounts/${accountId}/keys/${keys.at(-1)!.id}`, {
      method: 'PATCH',
      body: { name: 'last' },
    })
    await seedRequests(node, keys.slice(0, 3), { count: 2_000, days: 20 })
  }, 120_000)

  const table = (name: string) => page.getByRole('region', { name, exact: true })

  test('lists every key, page by page, and finds it by name', async () => {
    await page.goto(`${node.origin}/keys`)
    const seen = new Set<string>()
    const pages = Math.ceil(keyCount / 50)
    for (let number = 1; number <= pages; number++) {
      await page.getByRole('button', { name: `Page ${number}`, exact: true }).click()
      await page.getByText(new RegExp(`^${(number - 1) * 50 + 1}–`)).waitFor()
      for (const text of await table('Keys').getByRole('row').locator('code').allInnerTexts()) seen.add(text)
    }
    expect(seen.size).toBe(keyCount)
    for (const name of ['first', 'last']) {
      await page.getByLabel('Search keys').fill(name)
      await table('Keys').getByText(name, { exact: true }).waitFor()
      await expect.poll(() => table('Keys').getByRole('row').count(), patient).toBe(2)
    }
  })

  test('shows each request on one line, with its cost at any width', async () => {
    for (const [width, least] of [
      [1440, 12],
      [1024, 10],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${node.origin}/requests`)
      await table('Requests').getByRole('row').nth(20).waitFor()
      const boxes = await Promise.all(
        (await table('Requests').getByRole('row').all()).slice(1, 30).map((row) => row.boundingBox()),
      )
      expect(Math.max(...boxes.map((box) => box!.height)), String(width)).toBeLessThan(48)
      expect(boxes.filter((box) => box!.y + box!.height <= 900).length).toBeGreaterThanOrEqual(least)
      const cost = await table('Requests').getByRole('row').nth(1).getByRole('cell').last().boundingBox()
      const frame = await table('Requests').boundingBox()
      expect(cost!.x + cost!.width, String(width)).toBeLessThanOrEqual(frame!.x + frame!.width + 1)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('pages back one page at a time, and returns from a request to the same list', async () => {
    await page.goto(`${node.origin}/requests?days=90&model=openai%2Fgpt-5-mini`)
    const row = () => table('Requests').getByRole('row').nth(1)
    const first = () => row().getByRole('link').first().getAttribute('href')
    await table('Requests').getByRole('row').nth(1).waitFor()
    const shown: (string | null)[] = [await first()]
    for (let times = 0; times < 2; times++) {
      await page.getByRole('button', { name: 'Older' }).click()
      await expect.poll(first, patient).not.toBe(shown.at(-1))
      shown.push(await first())
    }
    await page.reload()
    await page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(first, patient).toBe(shown[1])
    const view = page.url()
    await table('Requests').getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByText('What happened').waitFor()
    await page.getByRole('link', { name: 'Requests', exact: true }).last().click()
    await expect.poll(() => page.url(), patient).toBe(view)
    expect(await first()).toBe(shown[1])
    await page.goBack()
    await page.getByText('What happened').waitFor()
    await page.goBack()
    await expect.poll(() => page.url(), patient).toBe(view)
    expect(await first()).toBe(shown[1])
  })

  test('finds a request by its ID, pasted from a log', async () => {
    const recent = await node.admin<{ data: { id: string }[] }>('/usage/requests?limit=1')
    const { id } = recent.data[0]!
    await page.goto(`${node.origin}/requests`)
    const field = page.getByLabel('Find a request by id')
    await field.fill('req_nothing')
    await page.keyboard.press('Enter')
    await page.getByText('An id starts with').waitFor()
    await field.fill(`x-request-id: ${id}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${node.origin}/requests/${id}`)
    await page.getByText('What happened').waitFor()
  })

  test('loads at most 200 kB of script with the first page', async () => {
    const network = await page.context().newCDPSession(page)
    const bytes = new Map<string, number>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) bytes.set(pathname, Number(response.headers()['content-length']))
    })
    for (const path of ['/', '/usage', '/keys', '/requests', '/credit', '/models', '/playground']) {
      await page.goto('about:blank')
      await network.send('Network.clearBrowserCache')
      bytes.clear()
      await page.goto(node.origin + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const sum = [...bytes.values()].reduce((total, one) => total + one, 0)
      process.stderr.write(`${path}: ${sum} bytes of script in ${bytes.size} files\n`)
      expect(sum, path).toBeGreaterThan(100_000)
      expect(sum, path).toBeLessThanOrEqual(200_000)
    }
    await network.detach()
  })

  test('loads lists compressed', async () => {
    const sizes: Record<string, string | undefined> = {}
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/api/')) sizes[pathname] = response.headers()['content-encoding']
    })
    await page.goto(`${node.origin}/models`)
    await page.getByText('sandbox/echo', { exact: true }).waitFor()
    expect(sizes['/api/v1/models']).toBe('br')
    expect(sizes['/api/v1/me/keys']).toBe('br')
    const list = await fetch(`${node.origin}/v1/models`, {
      headers: { authorization: `Bearer ${keys[0]!.raw}`, 'accept-encoding': 'gzip' },
    })
    expect(list.headers.get('content-encoding')).toBe('gzip')
    expect(Number(list.headers.get('content-length'))).toBeLessThan(40_000)
    expect(((await list.json()) as { data: unknown[] }).data.length).toBeGreaterThan(1)
  })
})
