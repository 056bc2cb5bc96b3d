import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, screen } from './accessible.ts'
import { rowsOf } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { operatorAccount, signUp } from './visitor.ts'

const dayMs = 86_400_000

/** How requests went, for a person on call and for one who pays. */
describeInBrowser('health', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page
  let key: TestKey

  beforeAll(async () => {
    ;({ node, page } = await openDashboard({ bypassCSP: true }))
    await signUp({ page }, node, 'ada@example.com')
    key = await node.createKey({ accountId: await operatorAccount(node), creditUsd: '1000' })
  }, 120_000)

  const open = async (path: string): Promise<void> => {
    await page.goto(node.origin + path)
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  }
  const text = async (): Promise<string> => (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
  const chart = (name: RegExp) => page.getByRole('img', { name })

  test('of a new account says what to do', async () => {
    await open('/health')
    await page.getByText('No requests in this range or the one before').waitFor()
    await page.getByText(/Counted since \d+ \w+ \d{4}/).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Home' }).waitFor()
  })

  describe('with requests', () => {
    beforeAll(async () => {
      const today = Math.floor(Date.now() / dayMs) * dayMs
      const many = (count: number, more: Parameters<typeof newRecord>[1]) =>
        Array.from({ length: count }, () => newRecord(key, { startedAtMs: today + 1, ...more }))
      const claude = { modelAsked: 'anthropic/claude', provider: 'anthropic' }
      const failed = { outcome: 'failed', modelServed: null, chargePico: 0n, firstTokenMs: null } as const
      const cached = {
        usage: { inputTokens: 400_000, cacheReadTokens: 600_000, outputTokens: 20 },
        pricing: { prompt: '0.00001', completion: '0.00003', input_cache_read: '0.000001' },
        tokensIn: 1_000_000,
      }
      await node.storage.requests.write('node_h', [
        ...many(90, { firstTokenMs: 400, durationMs: 2_000, tokensOut: 100, tags: ['team:search'] }),
        ...many(1, { ...cached, firstTokenMs: 400, durationMs: 2_000, tokensOut: 100, tags: ['team:chat'] }),
        ...many(30, {
          ...claude,
          ...failed,
          modelTried: 'anthropic/claude',
          status: 503,
          errorType: 'service_unavailable',
        }),
        ...many(2, { ...failed, provider: null, status: 402, errorType: 'insufficient_quota' }),
        ...many(3, { ...failed, outcome: 'client_closed', status: 499, errorType: 'client_closed_request' }),
        // The day before, requests succeeded, but were slower.
        ...many(100, { startedAtMs: today - dayMs, firstTokenMs: 1_500, durationMs: 9_000, tokensOut: 90 }),
      ])
    }, 60_000)

    test('compares errors, causes, response times and cache savings with the days before', async () => {
      await open('/health?days=1')
      await chart(/^Error rate by hour and cause/).waitFor()
      const shown = await text()
      expect(shown).toContain('Error rate 25 % 32 failed worse, 0 % before')
      expect(shown).toMatch(/First token, median [34]\d\d ms 95 % within [34]\d\d ms better, 1\.\d s before/)
      expect(shown).toMatch(/Full answer, median 1\.\d s .* better, 8\.\d s before/)
      expect(shown).toContain('Requests 126 91 answered in full 100 before')
      expect(shown).toContain('Tokens per second 50 per answer, including waiting time better, 10 before')
      // 600,000 tokens at 0.000009 USD less each.
      expect(shown).toMatch(/Cached input \d+(\.\d)? % saved \$5\.40/)
      expect((await rowsOf(page, 'Errors by cause')).slice(1)).toEqual([
        expect.stringMatching(/^No vendor available .*service_unavailable 30 24 % worse, 0 % before$/),
        expect.stringMatching(/^Not enough credit .*insufficient_quota 2 1\.6 % 0 % before$/),
        expect.stringMatching(
          /^The client disconnected .*Not an error, .*error rate\. client_closed_request 3 2\.4 %/,
        ),
      ])
    })

    test('breaks requests down, with links to each group', async () => {
      await open('/health?days=1')
      const models = await rowsOf(page, 'Health by model')
      expect(models.find((row) => row.startsWith('anthropic/claude'))).toMatch(/ 30 100 % – \/ – /)
      expect(models.at(-1)).toMatch(/^Total 126 .*25 %/)
      await page.getByRole('link', { name: 'anthropic/claude', exact: true }).click()
      await page.waitForURL(/model=anthropic%2Fclaude/)
      await expect.poll(text).toContain('Error rate 100 % 30 failed')
      await page.getByRole('link', { name: 'View failed requests' }).click()
      await page.waitForURL(/\/requests\?.*outcome=failed/)
    })

    test.each([
      ['provider', 'anthropic'],
      ['tag', 'team:search'],
      ['tag:team', 'search'],
      ['key', 'test'],
    ])('breaks them down by %s', async (by, name) => {
      await open(`/health?by=${by}`)
      const found = await rowsOf(page, `Health by ${by.replace('tag:', '')}`)
      expect(
        found.some((row) => row.startsWith(name)),
        found.join('\n'),
      ).toBe(true)
    })

    test('lists hours and days, newest first', async () => {
      await open('/health?days=7&by=day')
      expect((await rowsOf(page, 'Health by day')).length).toBe(1 + 2 + 1)
      await page.getByRole('radio', { name: 'by hour' }).locator('..').click()
      await page.waitForURL(/unit=hour/)
      await chart(/^Time to the first token by hour/).waitFor()
      await page.getByText('Full answer', { exact: true }).click()
      await chart(/^Time to the end of the answer by hour/).waitFor()
      expect(
        await chart(/^Time to the end/)
          .locator('path[data-series]')
          .count(),
      ).toBe(2)
    })

    test('does not offer what the API refuses: a key together with a tag, or hours of a year', async () => {
      await open(`/health?key=${key.id}&tag=team:search&by=tag`)
      await rowsOf(page, 'Health by model')
      await open('/health?days=365&unit=hour&by=hour')
      await rowsOf(page, 'Health by model')
      expect(await page.getByText('by hour', { exact: true }).count()).toBe(0)
      await chart(/^Error rate by week/).waitFor()
      await open(`/health?key=${key.id}`)
      await rowsOf(page, 'Health by model')
      await page.getByLabel('Tags', { exact: true }).first().click()
      await page.getByRole('combobox', { name: 'Tags' }).fill('team:search')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.has('tag') && !url.searchParams.has('key'))
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    test('explains what could not be loaded', async () => {
      await open('/health?key=key_00000000000000000000000000')
      await page.getByRole('alert').first().waitFor()
      expect(await page.getByRole('alert').first().innerText()).toContain('Not found')
    })

    test('is accessible on a desktop and on a phone, in both themes', async () => {
      for (const size of [screen, { width: 375, height: 800 }]) {
        await page.setViewportSize(size)
        await open('/health?days=7&unit=hour&by=tag')
        await rowsOf(page, 'Health by tag')
        await expectAccessible(page)
      }
      await page.setViewportSize(screen)
      await page.emulateMedia({ colorScheme: 'light' })
    })
  })
})
