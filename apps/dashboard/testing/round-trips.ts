import type { Page, Route } from 'playwright-core'

/** How often the page must be idle without new requests before a wave counts as complete. */
const idleTimes = 3
/** A page that is being replaced never reports that it is idle. */
const maxIdleMs = 2_000
const maxAnswerMs = 10_000
/** Scripts are compiled off the main thread, which is idle meanwhile. */
const pauseMs = 250
const idle = `new Promise((done) =>
  requestIdleCallback(() => setTimeout(done, ${pauseMs}), { timeout: 1000 }),
)`

/**
 * Opens a page with simulated network latency: responses arrive in waves, and each wave has all requests
 * sent since the previous one. The number of waves until the page shows its content is how often it waits
 * for the network, whatever the speed of the machine.
 * @returns the paths of each wave
 */
export async function roundTrips(
  page: Page,
  address: string,
  isThere: () => Promise<boolean>,
): Promise<string[][]> {
  // Unloads the previous page.
  await page.goto('about:blank')
  let waiting: Route[] = []
  await page.route('**/*', (route) => {
    // Content does not wait for images, such as the tab's icon.
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
  // A request that the page cancels has no response.
  await Promise.race([response.then((received) => received?.finished()), passed(maxAnswerMs)])
}

async function settled(page: Page, count: () => number): Promise<void> {
  let before = -1
  for (let times = 0; times < idleTimes; times++) {
    const becameIdle = page.evaluate(idle).catch(() => undefined)
    await Promise.race([becameIdle, passed(maxIdleMs)])
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
