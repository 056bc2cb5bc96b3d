import type { LoadCounters } from '@turnpike/simulators/load-server'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild, type Child } from '../child.ts'
import type { FaultyCounters } from '../faults/faulty-vendors.ts'
import { formatShares, type FaultShares } from '../faults/schedule.ts'

/** A benchmark's vendor, in a separate process. */
export interface LoadVendor<Counters = LoadCounters> {
  port: number
  journal(): Promise<Counters>
  /** Resolves once this many streams are open; rejects on timeout. */
  streamsOpen(streams: number): Promise<void>
  stop(): Promise<void>
}

const longestWaitMs = 20_000

export function startLoadVendor(): Promise<LoadVendor> {
  return startVendor<LoadCounters>('../../simulators/vendor/load/server.ts', ['--port', '0'])
}

/** Starts vendors that fail now and then; each is identified by the first part of its path. */
export function startFaultyVendors(seed: number, shares: FaultShares): Promise<LoadVendor<FaultyCounters>> {
  return startVendor<FaultyCounters>('../faulty-vendors.ts', [String(seed), formatShares(shares)])
}

async function startVendor<Counters extends LoadCounters>(
  path: string,
  args: readonly string[],
): Promise<LoadVendor<Counters>> {
  const child: Child = startChild(process.execPath, [new URL(path, import.meta.url).pathname, ...args])
  const { port } = JSON.parse(await child.line(/^\{"port":/u)) as { port: number }
  const journal = async (): Promise<Counters> => {
    const answer = await fetch(`http://127.0.0.1:${port}/journal`, { headers: { connection: 'close' } })
    return (await answer.json()) as Counters
  }
  return {
    port,
    journal,
    async streamsOpen(streams) {
      const startedAtMs = performance.now()
      for (;;) {
        const { streamsOpen } = await journal()
        if (streamsOpen === streams) return
        if (performance.now() - startedAtMs > longestWaitMs)
          throw new Error(`${streamsOpen} streams are open at the vendor, ${streams} were expected`)
        await delay(50)
      }
    },
    stop: () => child.stop(),
  }
}
