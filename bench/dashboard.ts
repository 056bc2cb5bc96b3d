import type { Browser, CDPSession, Page } from 'playwright-core'
import { seedRequests } from '@turnpike/dashboard/testing/seed.ts'
import { buildDashboard } from '@turnpike/dashboard/testing/built.ts'
import { newVisitor, signUp } from '@turnpike/dashboard/testing/visitor.ts'
import { chromiumOnPath } from '@turnpike/tests/browser/chromium-on-path.ts'
import { launchChromium } from '@turnpike/tests/browser/chromium.ts'
import { startTestNode, type TestNode } from '@turnpike/tests/nodes/test-node.ts'
import { median } from './report/statistics.ts'
import { alignColumns } from './report/table.ts'

const requests = 50_000
const days = 365
const keys = 8
const repeats = 7
const screen = { width: 1440, height: 900 }

interface View {
  name: string
  path: string
  budgetMs: number
  /** JavaScript that is true in the page once it shows its figures and chart. */
  isShown: string
}

const hasChart = "document.querySelector('path[data-series]') !== null"
/** A page that has not finished by then never will. */
const mostMs = 30_000

const views: View[] = [
  {
    name: 'Home',
    path: '/',
    budgetMs: 1_000,
    isShown: `${hasChart} && /\\d requests, /.test(document.body.textContent)`,
  },
  {
    name: 'Usage of a year',
    path: `/usage?days=${days}&by=tag:team`,
    budgetMs: 1_200,
    isShown: `${hasChart} && /search/.test(document.querySelector('tbody')?.textContent)`,
  },
]

interface Network {
  name: string
  /** Absent: unlimited. */
  conditions?: { bytesPerSecond: number; latencyMs: number }
  /** Absent: each view's own. */
  budgetMs?: number
}

const networks: Network[] = [
  { name: 'this machine' },
  {
    name: '1.6 Mbit/s, 150 ms',
    conditions: { bytesPerSecond: 200_000, latencyMs: 150 },
    budgetMs: 2_500,
  },
]

/**
 * Opens pages of the dashboard in Chromium with an empty cache, and measures the time from the start of
 * navigation until figures and chart are shown, in milliseconds.
 * @returns false if a median exceeds its budget, or if there is no Chromium
 */
export async function measureDashboard(): Promise<boolean> {
  const program = chromiumOnPath()
  if (program === undefined) {
    console.log('There is no Chromium here.')
    return false
  }
  await buildDashboard()
  const node = await startTestNode({ input: { server: { port: 0 } } })
  const browser = await launchChromium(program)
  try {
    return report(await measureViews(node, browser))
  } finally {
    await browser.close()
    await node.stop()
  }
}

interface Result {
  view: View
  network: Network
  timesMs: number[]
}

async function measureViews(node: TestNode, browser: Browser): Promise<Result[]> {
  const visitor = await newVisitor(browser, node, { viewport: screen })
  const { page } = visitor
  await signUp(visitor, node, 'ada@example.com')
  // The home page has requested figures, so the account exists by now.
  const { data } = await node.admin<{ data: { id: string }[] }>('/accounts')
  const account = { accountId: data[0]!.id, creditUsd: '100' }
  const made = await Promise.all(Array.from({ length: keys }, () => node.createKey(account)))
  console.log(`Writing ${requests} requests over ${days} days, of one account with ${keys} keys.`)
  await seedRequests(node, made, { count: requests, days })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const results = networks.flatMap((network) => views.map((view): Result => ({ view, network, timesMs: [] })))
  for (let round = 0; round < repeats; round++)
    for (const { view, network, timesMs } of results) {
      await emulate(session, network)
      timesMs.push(await timeOf(page, session, node.origin, view))
    }
  return results
}

async function emulate(session: CDPSession, { conditions }: Network): Promise<void> {
  const rate = conditions?.bytesPerSecond ?? -1
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: conditions?.latencyMs ?? 0,
    downloadThroughput: rate,
    uploadThroughput: rate,
  })
}

async function timeOf(page: Page, session: CDPSession, origin: string, view: View): Promise<number> {
  await page.goto('about:blank')
  await session.send('Network.clearBrowserCache')
  await page.goto(origin + view.path, { waitUntil: 'commit' })
  return page.evaluate<number>(waitScript(view))
}

/** Checks in the page with each frame: a check from outside might come half a second late. */
function waitScript({ name, isShown }: View): string {
  return `new Promise((resolve, reject) => {
    const look = () => {
      if (${isShown}) resolve(performance.now())
      else if (performance.now() > ${mostMs}) reject(new Error('${name}: not shown in ${mostMs} ms'))
      else requestAnimationFrame(look)
    }
    look()
  })`
}

function report(results: readonly Result[]): boolean {
  const rows = results.map(({ view, network, timesMs }) => {
    const budgetMs = network.budgetMs ?? view.budgetMs
    const timeMs = median(timesMs)
    const shown = timesMs.map((time) => time.toFixed(0)).join(' ')
    return [
      `${view.name}, ${network.name}`,
      `${budgetMs}`,
      timeMs.toFixed(0),
      timeMs <= budgetMs ? 'pass' : 'MISS',
      shown,
    ]
  })
  console.log(`\n${alignColumns([['page', 'budget ms', 'median ms', '', 'each'], ...rows])}\n`)
  return rows.every(([, , , verdict]) => verdict === 'pass')
}
