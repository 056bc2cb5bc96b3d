import { setTimeout as delay } from 'node:timers/promises'
import { runClosedLoop, runOpenLoop, type LoadResult, type Target } from '../client/load.ts'
import type { ProcessUse } from '../process-table.ts'
import { quantile } from '../report/statistics.ts'

/** Work after the response, such as moving rows to a database, counts as well. */
const aftermathMs = 400
/** This work is finished once the subject has used less than this share of a core for that long. */
const restShare = 0.05
const restMs = 200
const mostAftermathMs = 20_000

const connections = 32

/** CPU time per 2 KB request, at full speed over 32 connections. */
export async function cpuPerRequest(
  target: Target,
  use: () => ProcessUse,
  durationMs: number,
): Promise<number> {
  const before = use().cpuMicroseconds
  const result = await runClosedLoop(target, { connections, durationMs })
  await awaitRest(use)
  requireAnswers(result)
  return (use().cpuMicroseconds - before) / result.answers
}

/** At full speed a database's writer falls behind, and continues after the load has ended. */
async function awaitRest(use: () => ProcessUse): Promise<void> {
  await delay(aftermathMs)
  const deadlineMs = performance.now() + mostAftermathMs
  let before = use().cpuMicroseconds
  while (performance.now() < deadlineMs) {
    await delay(restMs)
    const now = use().cpuMicroseconds
    if (now - before < restMs * 1_000 * restShare) return
    before = now
  }
}

export interface Latency {
  p50Ms: number
  p99Ms: number
  cpuMicroseconds: number
}

const ratePerSecond = 500

/** Latencies at 500 requests a second, and CPU time per request at that rate. */
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
  const failureTexts = [...failures].map(([what, times]) => `${times} × ${what}`).join(', ')
  throw new Error(`${answers} answers, failed: ${failureTexts}`)
}
