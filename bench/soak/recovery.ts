import { setTimeout as delay } from 'node:timers/promises'
import { fallbackModel, soakedModel } from '../faults/configuration.ts'
import type { SoakLoad } from './load.ts'
import type { RunningTurnpike } from '../subjects/turnpike.ts'

/** The longest cooldown is a minute and a quarter. */
const longestMs = 90_000

interface Upstreams {
  data: { provider: string; state: 'working' | 'resting' | 'probing' }[]
}

/**
 * After the faults have ended, ordinary requests must bring back all upstreams in cooldown, since nothing
 * else probes them.
 * @returns how long that took, and which upstreams stayed in cooldown
 */
export async function recovery(
  server: RunningTurnpike,
  load: SoakLoad,
): Promise<{ seconds: number; resting: string[] }> {
  const startedAtMs = performance.now()
  const requests = [soakedModel, fallbackModel].map((model) => server.requestOf(model, false, 0))
  for (;;) {
    const { data } = await server.admin.get<Upstreams>('/upstreams')
    const resting = data.filter(({ state }) => state !== 'working').map(({ provider }) => provider)
    const tookMs = performance.now() - startedAtMs
    if (resting.length === 0 || tookMs > longestMs) return { seconds: tookMs / 1_000, resting }
    await Promise.all(requests.map((request) => load.ask(request)))
    await delay(200)
  }
}
