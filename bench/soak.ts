import { setTimeout as delay } from 'node:timers/promises'
import { startLoadVendor, type LoadVendor } from './client/journal.ts'
import { compareBooks } from './soak-books.ts'
import { behaviour, SoakLoad, type Tally } from './soak-load.ts'
import { SoakWatch } from './soak-watch.ts'
import { Turnpike } from './subjects/turnpike.ts'

const granted = { keys: 50, creditUsd: '1000' }

/** Idle connections to a vendor are closed after 30 s. */
const longestIdleMs = 40_000
/** The connection by which the journal is asked. */
const ownSockets = 1

/**
 * The server under a load that lasts, with clients that leave at random.
 * @returns false where anything was not as it should be, which was printed
 */
export async function soak(seconds: number): Promise<boolean> {
  const vendor = await startLoadVendor()
  const turnpike = new Turnpike({ vendorPort: vendor.port, ...granted })
  try {
    const server = await turnpike.start()
    const load = new SoakLoad(server, granted.keys)
    const watch = new SoakWatch(server)
    console.log(
      `${seconds} s of ${behaviour.plainPerSecond} requests/s and ${behaviour.streams} streams, ` +
        `with ${granted.keys} keys`,
    )
    load.start()
    watch.start()
    await delay(seconds * 1_000)
    await load.end()
    watch.stop()
    const openSockets = await socketsLeft(vendor)
    const seen = watch.verdict()
    const books = await compareBooks(server, vendor, load, granted)
    await server.stop()
    const figures = [
      `plain: ${said(load.plain)}`,
      `streams: ${said(load.streams)}`,
      ...seen.figures,
      ...books.figures,
      `sockets open at the vendor after the end: ${openSockets}`,
    ]
    const failures = [
      ...errorsOf(load.plain),
      ...errorsOf(load.streams),
      ...seen.failures,
      ...books.failures,
      ...(openSockets > 0 ? [`${openSockets} upstream sockets are left open`] : []),
    ]
    console.log(figures.join('\n'))
    console.log(failures.length === 0 ? 'The soak passed.' : `The soak FAILED: ${failures.join('; ')}.`)
    return failures.length === 0
  } finally {
    await vendor.stop()
    turnpike.remove()
  }
}

/** Waits for the pools to close what is idle; answers how many connections are still there. */
async function socketsLeft(vendor: LoadVendor): Promise<number> {
  const giveUpAtMs = performance.now() + longestIdleMs
  for (;;) {
    const left = (await vendor.journal()).socketsOpen - ownSockets
    if (left <= 0 || performance.now() > giveUpAtMs) return Math.max(0, left)
    await delay(1_000)
  }
}

function said({ sent, statuses, aborted }: Tally): string {
  const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
  return `${sent} sent; ${answers}; ${aborted} left by their clients`
}

function errorsOf({ statuses }: Tally): string[] {
  const errors = [...statuses].filter(([status]) => status !== '200')
  return errors.map(([status, times]) => `${times} × ${status}`)
}
