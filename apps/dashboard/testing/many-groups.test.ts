import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { exactUsd } from '../format/money.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { operatorAccount, signUp } from './visitor.ts'

const requests = 600
const tagsEach = 20
/** Each costs more than the one before, so that the costliest ones are known. */
const costOf = (index: number): bigint => BigInt(index + 1) * 10n ** 9n

/** More tags than one response of the API contains, and than the page has rows for. */
describeInBrowser('12,000 tags', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page

  beforeAll(async () => {
    ;({ node, page } = await openDashboard({ acceptDownloads: true }))
    await signUp({ page }, node, 'ada@example.com')
    const key = await node.createKey({ accountId: await operatorAccount(node), creditUsd: '1000000' })
    const records = Array.from({ length: requests }, (_, index) =>
      newRecord(key, {
        startedAtMs: Date.now(),
        tags: Array.from({ length: tagsEach }, (_, tag) => `job:${index}-${tag}`),
        chargePico: costOf(index),
      }),
    )
    await node.storage.requests.write('node_g', records)
  }, 120_000)

  const all = Array.from({ length: requests }, (_, index) => costOf(index) * BigInt(tagsEach))
  const sum = (costs: readonly bigint[]): bigint => costs.reduce((total, cost) => total + cost, 0n)

  test('are summed up exactly in the table where it has no rows for them', async () => {
    await page.goto(`${node.origin}/usage?by=tag`)
    const rows = page.getByRole('region', { name: 'Usage by tag' }).getByRole('row')
    const others = rows.filter({ hasText: 'All others' })
    await others.waitFor()
    // The head, the rows, the rest, and the total.
    expect(await rows.count()).toBe(1 + 400 + 1 + 1)
    // 400 tags belong to the last 20 requests.
    const left = sum(all.slice(0, -20))
    expect(await others.innerHTML()).toContain(exactUsd(left))
    expect(await others.innerText()).toContain((requests * tagsEach - 400).toLocaleString('en'))
  })

  test('are summed up exactly in a cross table, too', async () => {
    await page.goto(`${node.origin}/usage?by=tag&against=model`)
    const rows = page.getByRole('region', { name: 'Spend by tag and model' }).getByRole('row')
    await rows.filter({ hasText: 'smallest of all' }).waitFor()
    expect(await rows.count()).toBe(1 + 100 + 2 + 1)
  })

  test('are all in the exported file', async () => {
    await page.goto(`${node.origin}/usage?by=tag`)
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'This table (CSV)' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + requests * tagsEach)
    expect(new Set(lines).size).toBe(lines.length)
  })
})
