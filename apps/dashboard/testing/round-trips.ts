import type { Page, Route } from 'playwright-core'

/** Times that the page is idle, and asks for nothing more, before it has asked for all that it can. */
const idleTimes = 3
/** A page that is being replaced never says that it is idle. */
const maxIdleMs = 2_000
const maxAnswerMs = 10_000
/** Scripts are compiled beside the page's own thread, which is idle meanwhile. */
const pauseMs = 250
const idle = `new Promise((done) =>
  requestIdleCallback(() => setTimeout(done, ${pauseMs}), { timeout: 1000 }),
)`

/**
 * Opens a page as over a slow network, whose answers come in waves: each has all that was asked for since the
 * one before. How many there are until the page shows what it is for says how often it waits for the network,
 * on a machine of any speed.
 * @returns the paths of each wave
 */
export async function roundTrips(
  page: Page,
  address: string,
  isThere: () => Promise<boolean>,
): Promise<string[][]> {
  // What is there already is no longer.
  await page.goto('about:blank')
  let waiting: Route[] = []
  await page.route('**/*', (route) => {
    // Nobody waits for pictures, that of the tab among them.
    if (pathOf(route.request().url()).endsWith('.svg')) void route.continue()
    else waiting.push(route)
  })
  const opened = page.goto(address, { waitUntil: 'commit', timeout: 0 })
  const waves: string[][] = []
  for (;;) {
    await settled(page, () => waiting.length)
    if (waves.length > 0 && (await isThere())) break
    if (waiting.length === 0) continue
    const wave = waiting
    waiting = []
    waves.push(wave.map((route) => pathOf(route.request().url())))
    await Promise.all(wave.map(answered))
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await opened
  return waves
}

async function answered(route: Route): Promise<void> {
  await route.continue()
  const response = route.request().response()
  // What the page gives up has no answer.
  await Promise.race([response.then((given) => given?.finished()), passed(maxAnswerMs)])
}

async function settled(page: Page, count: () => number): Promise<void> {
  let before = -1
  for (let times = 0; times < idleTimes; times++) {
    const said = page.evaluate(idle).catch(() => undefined)
    await Promise.race([said, passed(maxIdleMs)])
    if (count() !== before) times = 0
    before = count()
  }
}

function passed(durationMs: number): Promise<void> {
  return new Promise((done) => setTimeout(done, durationMs))
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
