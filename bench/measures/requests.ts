import { setTimeout as delay } from 'node:timers/promises'
import { runClosedLoop, runOpenLoop, type LoadResult, type Target } from '../client/load.ts'
import type { ProcessUse } from '../process-table.ts'
import { quantile } from '../report/statistics.ts'

/** What a subject does behind the answers, such as moving rows to its database, counts as well. */
const aftermathMs = 400

const connections = 32

/** CPU a request of 2 KB, at full speed over 32 connections. */
export async function cpuPerRequest(
  target: Target,
  use: () => ProcessUse,
  durationMs: number,
): Promise<number> {
  const before = use().cpuMicroseconds
  const result = await runClosedLoop(target, { connections, durationMs })
  await delay(aftermathMs)
  requireAnswers(result)
  return (use().cpuMicroseconds - before) / result.answers
}

export interface Latency {
  p50Ms: number
  p99Ms: number
  cpuMicroseconds: number
}

const ratePerSecond = 500

/** Times of the answers at 500 requests a second, and CPU a request at that pace. */
export async function latency(
  target: Target,
  use: (() => ProcessUse) | undefined,
  durationMs: number,
): Promise<Latency> {
  const before = use?.().cpuMicroseconds ?? 0
  const result = await runOpenLoop(target, { ratePerSecond, durationMs })
  await delay(aftermathMs)
  requireAnswers(result)
  const used = (use?.().cpuMicroseconds ?? 0) - before
  return {
    p50Ms: quantile(result.latenciesMs, 0.5),
    p99Ms: quantile(result.latenciesMs, 0.99),
    cpuMicroseconds: used / result.answers,
  }
}

export function requireAnswers({ answers, failures }: LoadResult): void {
  if (failures.size === 0 && answers > 0) return
  const said = [...failures].map(([what, times]) => `${times} × ${what}`).join(', ')
  throw new Error(`${answers} answers, failed: ${said}`)
}
