import { setTimeout as delay } from 'node:timers/promises'
import { startFaultyVendors, startLoadVendor, type LoadVendor } from '../client/journal.ts'
import { soakedModel } from '../faults/configuration.ts'
import type { FaultyCounters } from '../faults/faulty-vendors.ts'
import { formatShares, sharesAt, type FaultShares } from '../faults/schedule.ts'
import { compareBooks, compareFaults, compareVendor } from './books.ts'
import { behaviour, brokenStream, SoakLoad, type Tally } from './load.ts'
import { measureCapacity } from './capacity.ts'
import { recovery } from './recovery.ts'
import { atRest, judgeRest, type AtRest } from './rest.ts'
import { SoakWatch } from './watch.ts'
import { windowSeconds } from './window.ts'
import { SoakWindows } from './windows.ts'
import { Turnpike, type RunningTurnpike } from '../subjects/turnpike.ts'

export interface SoakOptions {
  seconds: number
  /** `half`: half of this machine's measured capacity for one process. */
  plainPerSecond: number | 'half'
  /** Absent: one vendor, which never fails. */
  faults?: { seed: number; shares: FaultShares }
}

const granted = { keys: 50, creditUsd: '1000' }

/** Idle connections to a vendor are closed after 30 s. */
const longestIdleMs = 40_000
/** The connection on which the journal is read. */
const ownSockets = 1

/** Possible responses if every vendor of a model fails. */
const legitimate = new Set(['200', '429', '502', '503', '504', brokenStream])

interface Verdict {
  figures: string[]
  failures: string[]
}

/**
 * Runs the server under lasting load, with clients that leave at random.
 * @returns false if anything was wrong, which it has printed
 */
export async function soak({ seconds, plainPerSecond: rate, faults: given }: SoakOptions): Promise<boolean> {
  const plainPerSecond = rate === 'half' ? await halfOfCapacity(given !== undefined) : rate
  const faults = given && { ...given, shares: sharesAt(plainPerSecond, given.shares) }
  const faulty = faults === undefined ? undefined : await startFaultyVendors(faults.seed, faults.shares)
  const vendor: LoadVendor = faulty ?? (await startLoadVendor())
  const vendorPort = vendor.port
  const turnpike = new Turnpike({ vendorPort, ...granted, faults: faults !== undefined })
  try {
    const server = await turnpike.start()
    console.log(describePlan(seconds, plainPerSecond, faults))
    const { figures, failures } = await observe(server, vendor, faulty, { seconds, plainPerSecond })
    await server.stop()
    console.log(figures.join('\n'))
    console.log(failures.length === 0 ? 'The soak passed.' : `The soak FAILED: ${failures.join('; ')}.`)
    return failures.length === 0
  } finally {
    await vendor.stop()
    turnpike.remove()
  }
}

async function observe(
  server: RunningTurnpike,
  vendor: LoadVendor,
  faulty: LoadVendor<FaultyCounters> | undefined,
  { seconds, plainPerSecond }: { seconds: number; plainPerSecond: number },
): Promise<Verdict> {
  const load = new SoakLoad(trafficFor(server, plainPerSecond, faulty !== undefined))
  const watch = new SoakWatch(server)
  const windows = new SoakWindows(server, load, windowSeconds(seconds))
  const before = await settle(server)
  const usedBefore = server.use().cpuMicroseconds
  load.start()
  watch.start()
  windows.start()
  await delay(seconds * 1_000)
  await windows.stop()
  const usedOfCore = (server.use().cpuMicroseconds - usedBefore) / 1e6 / seconds
  const recovered = faulty === undefined ? nothing : await judgeRecovery(faulty, server, load)
  await load.end()
  watch.stop()
  const openSockets = await socketsLeft(vendor)
  const rest = judgeRest(before, await settle(server))
  const { totals, ...books } = await compareBooks(server, load, granted, faulty !== undefined)
  const calls =
    faulty === undefined
      ? await compareVendor(vendor, totals)
      : await compareFaults(server, faulty, load, totals)
  const { isMachineSteady, ...lines } = windows.verdict()
  const parts: Verdict[] = [lines, watch.verdict(isMachineSteady), recovered, rest, books, calls]
  const allowed = faulty === undefined ? new Set(['200']) : legitimate
  return {
    figures: [
      `plain: ${formatTally(load.plain)}`,
      `streams: ${formatTally(load.streams)}`,
      ...(load.haltedMs > 0
        ? [`the load generator itself was halted for ${(load.haltedMs / 1_000).toFixed(1)} s`]
        : []),
      `CPU of the server: ${(usedOfCore * 100).toFixed(0)} % of one core`,
      ...parts.flatMap(({ figures }) => figures),
      `sockets open at the vendor after the end: ${openSockets}`,
    ],
    failures: [
      ...errorsOf(load.plain, allowed),
      ...errorsOf(load.streams, allowed),
      ...parts.flatMap(({ failures }) => failures),
      ...(load.heldBack ? ['the server did not keep up with its clients'] : []),
      ...(openSockets > 0 ? [`${openSockets} upstream sockets are left open`] : []),
    ],
  }
}

async function settle(server: RunningTurnpike): Promise<AtRest> {
  await server.settle()
  return atRest(await server.admin.metrics())
}

const nothing: Verdict = { figures: [], failures: [] }

function trafficFor(server: RunningTurnpike, plainPerSecond: number, faults: boolean) {
  const keys = Array.from({ length: granted.keys }, (_, key) => key)
  const requests = (stream: boolean): Buffer[] =>
    keys.map((key) =>
      faults
        ? server.requestOf(soakedModel, stream, key)
        : server.targetOf(stream ? 'brief' : 'plain', key).request,
    )
  return {
    port: server.port,
    plainPerSecond,
    plainRequests: requests(false),
    streamRequests: requests(true),
  }
}

async function judgeRecovery(
  { port }: LoadVendor<FaultyCounters>,
  server: RunningTurnpike,
  load: SoakLoad,
): Promise<Verdict> {
  const stopped = await fetch(`http://127.0.0.1:${port}/faults/stop`, {
    method: 'POST',
    headers: { connection: 'close' },
  })
  await stopped.arrayBuffer()
  const { seconds, resting } = await recovery(server, load)
  return {
    figures: [`all vendors worked again ${seconds.toFixed(1)} s after their faults had ended`],
    failures: resting.map(
      (provider) => `${provider} still rests ${seconds.toFixed(0)} s after its last fault`,
    ),
  }
}

async function halfOfCapacity(faults: boolean): Promise<number> {
  const capacity = await measureCapacity(faults)
  console.log(`one process serves ${capacity.toFixed(0)} plain requests/s here at full speed`)
  return Math.max(1, Math.floor(capacity / 2))
}

function describePlan(seconds: number, plainPerSecond: number, faults: SoakOptions['faults']): string {
  const load = `${seconds} s of ${plainPerSecond} requests/s and ${behaviour.streams} streams`
  const failing =
    faults === undefined ? '' : `; faults per mille, seed ${faults.seed}: ${formatShares(faults.shares)}`
  return `${load}, with ${granted.keys} keys${failing}`
}

/** Waits for the pools to close idle connections; returns how many are left. */
async function socketsLeft(vendor: LoadVendor): Promise<number> {
  const giveUpAtMs = performance.now() + longestIdleMs
  for (;;) {
    const left = (await vendor.journal()).socketsOpen - ownSockets
    if (left <= 0 || performance.now() > giveUpAtMs) return Math.max(0, left)
    await delay(1_000)
  }
}

function formatTally({ sent, statuses, aborted }: Tally): string {
  const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
  return `${sent} sent; ${answers}; ${aborted} left by their clients`
}

function errorsOf({ statuses }: Tally, allowed: ReadonlySet<string>): string[] {
  const errors = [...statuses].filter(([status]) => !allowed.has(status))
  return errors.map(([status, times]) => `${times} × ${status}`)
}
