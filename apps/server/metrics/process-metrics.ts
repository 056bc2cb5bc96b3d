import { statfs } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import type { Meters } from './register.ts'

/** Metrics of what the process and its disk have left. */
export function registerProcessMetrics({ counter, gauge }: Meters, dataDir: string): void {
  counter(
    'turnpike_event_loop_active_seconds_total',
    'Time the event loop was busy. Its rate is the share of a core in use, at most 1.',
    [],
    () => performance.eventLoopUtilization().active / 1_000,
  )
  gauge('turnpike_data_dir_free_bytes', 'Free space on the disk of `data_dir`.', [], async () => {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  })
}
