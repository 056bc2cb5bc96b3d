import type { LoadCounters } from '@turnpike/simulators/load-server'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild, type Child } from '../child.ts'

/** The vendor of a benchmark, in a process of its own. */
export interface LoadVendor {
  port: number
  journal(): Promise<LoadCounters>
  /** Resolves once so many streams are open; rejects where that takes too long. */
  streamsOpen(streams: number): Promise<void>
  stop(): Promise<void>
}

const longestWaitMs = 20_000

export async function startLoadVendor(): Promise<LoadVendor> {
  const script = new URL('../../simulators/vendor/load-server.ts', import.meta.url)
  const child: Child = startChild(process.execPath, [script.pathname, '--port', '0'])
  const { port } = JSON.parse(await child.line(/^\{"port":/u)) as { port: number }
  const journal = async (): Promise<LoadCounters> => {
    const answer = await fetch(`http://127.0.0.1:${port}/journal`, { headers: { connection: 'close' } })
    return (await answer.json()) as LoadCounters
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
