import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { rowsOf } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { operatorAccount, signUp, type Visitor } from './visitor.ts'

const pico = 1_000_000_000_000n
/** The spend in each of the hours below, in cents. */
const cents = 14n
const dayMs = 86_400_000
/** More than a chart has colors for, on a day outside the ranges of the other tests. */
const customers = 9
const customersDaysAgo = 40

/** Figures that people bill by must be exact. */
describeInBrowser('figures of usage', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page
  let key: TestKey

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard())
    await signUp(visitor, node, 'ada@example.com')
    key = await node.createKey({ accountId: await operatorAccount(node), creditUsd: '1000' })
    const today = Math.floor(Date.now() / dayMs) * dayMs
    const request = (more: Parameters<typeof newRecord>[1]) =>
      newRecord(key, { startedAtMs: today + 1, chargePico: (cents * pico) / 100n, ...more })
    await node.storage.requests.write('node_f', [
      request({ tags: ['team:search', 'env:prod'] }),
      request({ startedAtMs: today - dayMs, tags: ['team:support', 'env:prod', 'team:abuse'] }),
      request({ startedAtMs: today - 2 * dayMs, tags: ['web'], tier: 'SIMPLE', modelAsked: 'auto' }),
      ...Array.from({ length: 3 }, () =>
        request({ outcome: 'failed', status: 402, errorType: 'insufficient_quota', chargePico: 0n }),
      ),
      ...Array.from({ length: customers }, (_, index) =>
        request({ startedAtMs: today - customersDaysAgo * dayMs, tags: [`customer:c${index}`] }),
      ),
      request({ startedAtMs: today - customersDaysAgo * dayMs, tags: ['team:search'] }),
    ])
  }, 120_000)

  const open = async (path: string, width = 1440): Promise<void> => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(node.origin + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const chart = () => page.getByRole('img', { name: /^(Spend|Requests|Tokens) by / })
  const axis = async (): Promise<string[]> => {
    await chart().waitFor()
    return chart().locator('text').allTextContents()
  }

  test("never exceed a day's spend, whatever tags its requests have", async () => {
    for (const by of ['', '?by=tag', '?by=tag:team', '?by=tag:env']) {
      await open(`/usage${by}`)
      const marks = (await axis()).filter((text) => text.startsWith('$'))
      expect(marks.at(-1), by).toMatch(/^\$0\.1[45]\d*$/)
      await page.getByRole('row', { name: /^Total/ }).waitFor()
      expect(await page.getByRole('row', { name: /^Total/ }).innerText(), by).toContain('$0.42')
    }
    expect(await chart().locator('path[data-series]').count()).toBe(2)
  })

  test('can be broken down by the values of a tag key, which do not overlap', async () => {
    await open('/usage?by=tag:team')
    expect((await rowsOf(page, 'Usage by team')).slice(1).toSorted()).toEqual([
      expect.stringContaining('Total $0.42'),
      expect.stringContaining('abuse $0.14'),
      expect.stringContaining('search $0.14'),
      expect.stringContaining('without team $0.14'),
    ])
    await page.getByRole('link', { name: 'search', exact: true }).click()
    await page.waitForURL(/tag=team%3Asearch/)
    await open('/usage')
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'env', exact: true }).click()
    await page.waitForURL(/by=tag%3Aenv/)
    expect(await rowsOf(page, 'Usage by env')).toContainEqual(expect.stringContaining('prod $0.28'))
  })

  test('draw groups without a color as the rest, so that the bars add up to the total', async () => {
    await open('/usage?by=tag:customer&days=90')
    await chart().waitFor()
    const legend = page.getByRole('listitem').filter({ hasText: '$' })
    expect(await legend.count()).toBe(7)
    // There are ten, of which six have a color.
    expect(await legend.last().innerText()).toMatch(/everything else\s+\$0\.56/)
    expect(await chart().locator('path[data-series]').count()).toBe(7)
    expect((await axis()).findLast((text) => text.startsWith('$'))).toMatch(/^\$1\.50?$/)
    const all = (await rowsOf(page, 'Usage by customer')).slice(1)
    expect(all).toHaveLength(customers + 1 + 1)
    expect(all).toContainEqual(expect.stringContaining('without customer $0.56'))
    expect(all.at(-1)).toMatch(/^Total \$1\.82/)
  })

  test('keep their correct label until the next ones are loaded', async () => {
    await open('/usage?by=tag:team')
    await rowsOf(page, 'Usage by team')
    let answer = (): void => undefined
    const answered = new Promise<void>((done) => {
      answer = done
    })
    await page.route('**/usage/breakdown?*', async (route) => {
      await answered
      await route.continue()
    })
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'Provider', exact: true }).click()
    await page.waitForURL(/by=provider/)
    expect(await rowsOf(page, 'Usage by team')).toContainEqual(expect.stringContaining('search $0.14'))
    answer()
    expect(await rowsOf(page, 'Usage by provider')).toContainEqual(expect.stringContaining('openai $0.42'))
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('have exact sums in a cross table with overlapping cells, which can be sorted', async () => {
    await open('/usage?by=model&against=tag')
    const table = 'Spend by model and tag'
    expect((await rowsOf(page, table)).at(-1)).toMatch(/^Total .*\$0\.42$/)
    await expect
      .poll(() => rowsOf(page, table).then((all) => all[1]), { timeout: 15_000 })
      .toMatch(/\$0\.42$/)
    await open('/usage?by=tag&against=model')
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    const names = async (): Promise<(string | undefined)[]> =>
      (await rowsOf(page, 'Spend by tag and model')).slice(1).map((row) => row.split(' ')[0])
    const sorted = ['env:prod', 'team:abuse', 'team:search', 'team:support', 'web']
    const order = () => page.getByRole('columnheader', { name: 'Tag' }).getAttribute('aria-sort')
    expect([await order(), await names()]).toEqual(['ascending', [...sorted, 'Total']])
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    expect([await order(), await names()]).toEqual(['descending', [...sorted.toReversed(), 'Total']])
  })

  test('show all columns of the cross table at a width of 1440, including the sum', async () => {
    await open('/usage?by=model&against=tag&days=90')
    await rowsOf(page, 'Spend by model and tag')
    const frame = page.getByRole('region', { name: 'Spend by model and tag' })
    expect(await frame.getByRole('columnheader').count()).toBe(1 + 7 + 1)
    const beyond = (element: { scrollWidth: number; clientWidth: number }): number =>
      element.scrollWidth - element.clientWidth
    expect(await frame.evaluate(beyond)).toBeLessThanOrEqual(0)
  })

  test('keep the first column in place on a phone, while the others scroll', async () => {
    await open('/usage?by=model&against=tag', 375)
    await rowsOf(page, 'Spend by model and tag')
    const frame = page.getByRole('region', { name: 'Spend by model and tag' })
    const left = () => frame.getByRole('row').nth(1).getByRole('cell').first().boundingBox()
    const before = (await left())!.x
    await frame.evaluate((element: { scrollLeft: number }) => {
      element.scrollLeft = 200
    })
    expect((await left())!.x).toBe(before)
  })

  test('draw the number of failed requests, which cost nothing, within the panel', async () => {
    await open('/usage?outcome=failed')
    const marks = await axis()
    expect(marks.join(' ')).not.toContain('$')
    expect(marks).toContain('3')
    expect(await chart().getAttribute('aria-label')).toMatch(/^Requests by/)
    const [drawn, frame] = [
      await chart().locator('text').first().boundingBox(),
      await chart().locator('xpath=ancestor::section').boundingBox(),
    ]
    expect(drawn!.x).toBeGreaterThan(frame!.x)
    expect(await page.getByRole('radio', { name: 'Spend' }).isDisabled()).toBe(true)
  })

  test('ignore unknown parameters of the address', async () => {
    for (const path of ['/usage', '/requests', '/', '/keys', '/credit', '/models']) {
      await open(`${path}?utm_source=x&key=nobody&by=colour&from=2026-02-30&to=2026-03-01`)
      await page.waitForLoadState('networkidle')
      expect(await page.getByRole('alert').count(), path).toBe(0)
    }
    await open('/usage?utm_source=x')
    await page.getByRole('row', { name: /^Total/ }).waitFor()
  })

  test('let two days be chosen in a calendar, which is loaded on demand', async () => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    const isCalendar = (path: string): boolean => /\/free-range-(?!field)/.test(path)
    await open('/usage')
    await page.waitForLoadState('networkidle')
    expect(requested.filter(isCalendar)).toEqual([])
    await page.getByRole('button', { name: 'From – to, UTC' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Previous month' }).click()
    const day = (name: string) => page.locator('table').getByRole('button', { name: new RegExp(`^${name} `) })
    await day('10').click()
    await day('12').click()
    await page.waitForURL(/from=\d{4}-\d\d-10&to=\d{4}-\d\d-12/)
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
    await expect.poll(focused).toMatch(/^10 \w+ \d{4} – 12 \w+ \d{4}$/)
    expect(requested.filter(isCalendar).length).toBeGreaterThan(0)
    expect(visitor.complaints.filter((text) => !text.includes('40'))).toEqual([])
  })

  test('draw today by the hour', async () => {
    await open('/usage?days=1')
    expect(await axis()).toEqual(expect.arrayContaining(['00:00']))
    expect(await chart().getAttribute('aria-label')).toMatch(/^Spend by hour/)
    expect(await chart().locator('path[data-series]').first().getAttribute('d')).not.toBe('')
  })

  test("keep a name's color in every range", async () => {
    const colors = async (path: string): Promise<Record<string, string>> => {
      await open(path)
      await chart().waitFor()
      const series = await chart().locator('path[data-series]').all()
      const pairs = series.map(async (one) => [
        await one.getAttribute('data-series'),
        await one.getAttribute('fill'),
      ])
      return Object.fromEntries(await Promise.all(pairs))
    }
    const wide = await colors('/usage?by=tag:team&days=7')
    const narrow = await colors('/usage?by=tag:team&days=1')
    expect(narrow['search']).toBe(wide['search'])
    expect(Object.keys(wide)).toHaveLength(3)
  })

  test('show that the price of auto-routing depends, with its recent cost', async () => {
    await open('/models?q=turnpike')
    const textOf = async (id: string): Promise<string> => {
      const row = page.getByRole('row').filter({ has: page.getByText(id, { exact: true }) })
      await row.getByText('depends').first().waitFor()
      return (await row.innerText()).replaceAll(/\s+/g, ' ')
    }
    for (const id of ['turnpike/auto', 'turnpike/auto-eco', 'turnpike/auto-premium'])
      // Once for input, once for output.
      expect(await textOf(id), id).toMatch(/depends at most \$[\d.]+ depends at most \$[\d.]+/)
    await expect.poll(() => textOf('turnpike/auto')).toMatch(/lately \$[\d.,]+ per million tokens/)
    expect(await textOf('turnpike/auto')).toContain('1 request of yours in 30 days')
  })

  test.each([
    [
      'a refused field',
      { status: 400, errorType: 'invalid_request_error', errorParam: 'temperature' },
      ['The field “temperature” was refused', 'Fix “temperature”'],
      '/docs',
    ],
    [
      'a key without permission',
      { status: 403, errorType: 'permission_error' },
      ['Permission denied', 'Allow the model for the key'],
      '/keys?action=limits&key=',
    ],
    [
      'failing vendors',
      {
        status: 503,
        errorType: 'service_unavailable',
        attempts: [
          { provider: 'openai', model: 'gpt-5-mini', status: 529, result: 'status-529', durationMs: 200 },
          { provider: 'anthropic', model: 'x', status: null, result: 'time-out', durationMs: 900 },
        ],
      },
      ['No vendor available', 'openai returned 529, then anthropic: time out.', 'Retry later'],
      undefined,
    ],
  ] as const)('explain a request that failed because of %s', async (_, more, words, place) => {
    const record = newRecord(key, {
      ...structuredClone(more as Parameters<typeof newRecord>[1]),
      // Outside the ranges of the other tests.
      startedAtMs: Date.now() - (customersDaysAgo + 10) * dayMs,
      outcome: 'failed',
      chargePico: 0n,
    })
    await node.storage.requests.write('node_f', [record])
    await open(`/requests/${record.id}`)
    const alert = page.getByRole('alert')
    await alert.waitFor()
    for (const word of words) expect(await alert.innerText()).toContain(word)
    expect(await alert.innerText()).toContain('It cost nothing.')
    const link = alert.getByRole('link')
    if (place === undefined) expect(await link.count()).toBe(0)
    else expect(await link.getAttribute('href')).toContain(place)
  })

  test('explain a failed request, and link to the remedy', async () => {
    await open('/requests?outcome=failed')
    await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByText('Not enough credit').waitFor()
    await page.getByRole('link', { name: 'Add credit' }).click()
    await page.waitForURL(/\/credit$/)
  })
})
