import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { chromiumOnPath } from '../../../tests/browser/chromium-on-path.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { seedRequests } from './seed.ts'
import { openDashboard, signUp } from './visitor.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')
const screen = { width: 1440, height: 1080 }
const requests = { count: 6_000, days: 45 }
const keyNames = ['production', 'staging', 'nightly-batch', 'laptop']

interface Picture {
  file: string
  path: string
  theme?: 'dark'
}

interface Found {
  /** The ID of a request with two attempts. */
  request: string
  budget: string
}

const pictures = ({ request, budget }: Found): Picture[] => [
  { file: 'home', path: '/' },
  { file: 'usage', path: '/usage?by=tag:team', theme: 'dark' },
  { file: 'health', path: '/health' },
  { file: 'request', path: `/requests/${request}` },
  { file: 'budget', path: `/budgets/${budget}` },
  { file: 'revenue', path: '/operator?show=revenue' },
]

/** Draws the pictures of docs/images again, from the current dashboard and generated requests. */
async function main(): Promise<void> {
  const chromium = chromiumOnPath()
  if (chromium === undefined) throw new Error('There is no Chromium here.')
  const { browser, node, visitor } = await openDashboard(chromium, { viewport: screen })
  try {
    await signUp(visitor, node, 'ada@example.com')
    const found = await fill(node)
    mkdirSync(folder, { recursive: true })
    for (const picture of pictures(found)) await draw(visitor.page, node, picture)
  } finally {
    await browser.close()
    await node.stop()
  }
}

async function fill(node: TestNode): Promise<Found> {
  // The home page has sent requests, so the account exists.
  const { data } = await node.admin<{ data: { id: string }[] }>('/accounts')
  const accountId = data[0]!.id
  await node.admin(`/accounts/${accountId}`, { method: 'PATCH', body: { operator: true } })
  const keys = await Promise.all(
    keyNames.map(async (name) => {
      const key = await node.createKey({ accountId, creditUsd: '60' })
      await node.admin(`/accounts/${accountId}/keys/${key.id}`, { method: 'PATCH', body: { name } })
      return key
    }),
  )
  await seedRequests(node, keys, requests)
  const limit = { name: 'Support team', scope: 'tag', subject: 'team:support', period: 'month' }
  const budget = await node.admin<{ id: string }>(`/accounts/${accountId}/budgets`, {
    method: 'POST',
    body: { ...limit, limit_usd: '15', hard: true },
  })
  return { request: await triedTwice(node), budget: budget.id }
}

async function triedTwice(node: TestNode): Promise<string> {
  const { data } = await node.admin<{ data: { id: string }[] }>('/usage/requests?limit=100')
  for (const { id } of data) {
    const { attempts } = await node.admin<{ attempts: unknown[] }>(`/usage/requests/${id}`)
    if (attempts.length > 1) return id
  }
  throw new Error('No request of the last hundred was tried twice.')
}

async function draw(page: Page, node: TestNode, { file, path, theme }: Picture): Promise<void> {
  await page.emulateMedia({ colorScheme: theme ?? 'light' })
  await page.goto(node.origin + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `dashboard-${file}.png`), animations: 'disabled' })
  process.stdout.write(`docs/images/dashboard-${file}.png\n`)
}

await main()
