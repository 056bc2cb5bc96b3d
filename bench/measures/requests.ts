import { setTimeout as delay } from 'node:timers/promises'
import { runClosedLoop, runOpenLoop, type LoadResult, type Target } from '../client/load.ts'
import type { ProcessUse } from '../process-table.ts'
import { quantile } from '../report/statistics.ts'

/** What a subject does behind the answers, such as moving rows to its database, counts as well. */
const aftermathMs = 400
/** It is done with that where it used less than this part of a core for so long. */
const restShare = 0.05
const restMs = 200
const mostAftermathMs = 20_000

const connections = 32

/** CPU a request of 2 KB, at full speed over 32 connections. */
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

/** A database's writer falls behind at full speed, and goes on when the load has ended. */
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
