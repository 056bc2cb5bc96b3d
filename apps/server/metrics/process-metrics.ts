import { statfs } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { alone, registerCounter, registerGauge } from './register.ts'

/**
 * Metrics of what the process and its disk have left. Node's own figures, such as event-loop delay, are
 * prom-client's.
 */
export function registerProcessMetrics(registry: Registry, dataDir: string): void {
  collectDefaultMetrics({ register: registry })
  registerCounter(
    registry,
    {
      name: 'turnpike_event_loop_active_seconds_total',
      help: 'Time the event loop was busy. Its rate is the share of a core in use, at most 1.',
    },
    () => alone(performance.eventLoopUtilization().active / 1_000),
  )
  registerGauge(
    registry,
    {
      name: 'turnpike_data_dir_free_bytes',
      help: 'Free space on the disk of `data_dir`.',
    },
    async () => {
      const { bavail, bsize } = await statfs(dataDir)
      return alone(bavail * bsize)
    },
  )
}
