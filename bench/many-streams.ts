import { setTimeout as delay } from 'node:timers/promises'
import { startLoadVendor, type LoadVendor } from './client/journal.ts'
import { runClosedLoop, count, OpenStreams } from './client/load.ts'
import { quantile } from './report/statistics.ts'
import { bareProxy } from './subjects/bare.ts'
import type { RunningSubject } from './subjects/subject.ts'
import { Turnpike } from './subjects/turnpike.ts'

const warmUpMs = 1_500
/** Streams start in groups of this size, so that their connections fit into the kernel's queues. */
const groupStreams = 250
const groupPauseMs = 250
/** Wait until each stream has received some events. */
const leadMs = 3_000
const watchedMs = 15_000
const lookEveryMs = 250
/** Events a second of each stream. */
const eventsPerSecond = 1

/** Budget of docs/contract.md, 16. */
const maxKilobytesPerStream = 20
const maxHealthMs = 1_000
const leastShareOfEvents = 0.98

/**
 * Opens this many slow streams on one process. Measures the memory of each, also in the bare proxy, and
 * checks that every event arrives, and how fast the health check and a plain request are answered meanwhile.
 * Returns false if a budget is exceeded.
 */
export async function manyStreams(streams: number): Promise<boolean> {
  const vendor = await startLoadVendor()
  const subject = new Turnpike({ vendorPort: vendor.port, keys: 1, creditUsd: '1000' })
  try {
    const bare = await withStreams(
      await bareProxy(vendor.port).start(),
      vendor,
      streams,
      async () => undefined,
    )
    await vendor.streamsOpen(0)
    const server = await subject.start()
    const { kilobytes, result } = await withStreams(server, vendor, streams, async (groups) =>
      verdict(groups, await watch(server, groups)),
    )
    const { figures, failures } = result
    figures.push(`memory: ${kilobytes.toFixed(1)} KB a stream, the bare proxy ${bare.kilobytes.toFixed(1)}`)
    if (kilobytes > maxKilobytesPerStream) failures.push(`more than ${maxKilobytesPerStream} KB a stream`)
    for (const figure of figures) console.log(figure)
    for (const failure of failures) console.log(`FAILED: ${failure}`)
    return failures.length === 0
  } finally {
    await vendor.stop()
    subject.remove()
  }
}

/** Opens the streams, measures their memory, and runs the work while they are open; then closes all. */
async function withStreams<Result>(
  server: RunningSubject,
  vendor: LoadVendor,
  streams: number,
  act: (groups: readonly OpenStreams[]) => Promise<Result>,
): Promise<{ kilobytes: number; result: Result }> {
  const groups: OpenStreams[] = []
  const open = async (upTo: number): Promise<number> => {
    for (let count = groups.length * groupStreams; count < upTo; count += groupStreams) {
      groups.push(new OpenStreams(server.target('slow'), groupStreams))
      await delay(groupPauseMs)
    }
    await vendor.streamsOpen(upTo).catch((error: unknown) => {
      throw new Error(`streams ended: ${describeEnded(groups).join(', ') || 'none'}`, { cause: error })
    })
    await delay(leadMs)
    await server.settle()
    return server.use().rssKilobytes
  }
  try {
    await runClosedLoop(server.target('plain'), { connections: 32, durationMs: warmUpMs })
    // The first half loads modules and the like, so only the second half is measured.
    const half = (groupStreams * Math.ceil(streams / groupStreams)) / 2
    const first = await open(groupStreams * Math.ceil(half / groupStreams))
    const opened = groups.length * groupStreams
    const all = await open(groupStreams * Math.ceil(streams / groupStreams))
    const kilobytes = (all - first) / (groups.length * groupStreams - opened)
    return { kilobytes, result: await act(groups) }
  } finally {
    for (const group of groups) group.close()
    await server.stop()
  }
}

interface Watched {
  seconds: number
  events: number
  cpuSeconds: number
  healthMs: number[]
  plain: number
  plainFailures: number
}

async function watch(server: RunningSubject, groups: readonly OpenStreams[]): Promise<Watched> {
  const eventsSoFar = (): number => groups.reduce((sum, { events }) => sum + events, 0)
  const begun = { atMs: performance.now(), events: eventsSoFar(), cpu: server.use().cpuMicroseconds }
  const healthMs: number[] = []
  const load = runClosedLoop(server.target('plain'), { connections: 1, durationMs: watchedMs })
  while (performance.now() - begun.atMs < watchedMs) {
    const askedAtMs = performance.now()
    const answer = await fetch(`http://127.0.0.1:${server.port}/healthz`)
    await answer.arrayBuffer()
    healthMs.push(answer.ok ? performance.now() - askedAtMs : Infinity)
    await delay(lookEveryMs)
  }
  const { answers, failures } = await load
  return {
    seconds: (performance.now() - begun.atMs) / 1_000,
    events: eventsSoFar() - begun.events,
    cpuSeconds: (server.use().cpuMicroseconds - begun.cpu) / 1e6,
    healthMs,
    plain: answers,
    plainFailures: [...failures.values()].reduce((sum, count) => sum + count, 0),
  }
}

function verdict(
  groups: readonly OpenStreams[],
  watched: Watched,
): { figures: string[]; failures: string[] } {
  const streams = groups.length * groupStreams
  const { seconds, events, cpuSeconds, healthMs, plain, plainFailures } = watched
  const share = events / (streams * eventsPerSecond * seconds)
  const slowest = Math.max(...healthMs)
  const figures = [
    `${streams} streams open for ${seconds.toFixed(1)} s, one event a second each`,
    `events: ${events}, ${(100 * share).toFixed(1)} % of what the vendor sends in that time`,
    `CPU: ${((100 * cpuSeconds) / seconds).toFixed(0)} % of one core`,
    `health check: median ${quantile(healthMs, 0.5).toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms`,
    `plain requests beside them, one after the other: ${plain}, ${plainFailures} failed`,
  ]
  const failures: string[] = []
  if (share < leastShareOfEvents) failures.push('events are missing')
  if (slowest > maxHealthMs) failures.push(`a health check took ${slowest.toFixed(0)} ms`)
  if (plainFailures > 0) failures.push(`${plainFailures} plain requests failed`)
  failures.push(...describeEnded(groups))
  return { figures, failures }
}

/** Why streams ended that should be open, one line per cause. */
function describeEnded(groups: readonly OpenStreams[]): string[] {
  const counts = new Map<string, number>()
  for (const [reason, ended] of groups.flatMap((group) => [...group.failures])) count(counts, reason, ended)
  return [...counts].map(([reason, ended]) => `${ended} streams ended: ${reason}`)
}
