import { Admin } from './world/admin.ts'
import { buildWorld } from './world/build-world.ts'
import { Differences } from './comparison/differences.ts'
import type { Events } from './events.ts'
import { keepFindings } from './comparison/findings.ts'
import { Fleet, type FleetOptions } from './fleet/fleet.ts'
import { inspect } from './comparison/inspection.ts'
import type { Report } from './report.ts'
import type { World } from './world/world.ts'

export interface TrialOptions extends FleetOptions {
  seed: number
  durationMs: number
  /** How long a movement is retried whose first call may have been lost with a killed node. */
  patienceMs?: number
  /** How long a node may be halted; absent: none is. */
  longestHaltMs?: number
  /** Whether a node is killed again, to check what happens to its leases. */
  looksAtDeadNode: boolean
  say: (line: string) => void
  /** A trial that takes longer has failed; absent: no limit. */
  deadlineMs?: number
  /** Ends everything at once, and keeps nothing. */
  interrupted?: AbortSignal
}

/** What can be disturbed, and what has been seen so far. */
export interface Stage {
  fleet: Fleet
  admin: Admin
  world: World
  events: Events
  differences: Differences
}

/**
 * Starts a fleet with accounts and keys, and runs `happens`; then waits until all is settled, and compares
 * the books. No process outlives it. If something differs, fails or takes too long, the findings stay in
 * folders that `say` is called with.
 */
export async function trial(
  options: TrialOptions,
  happens: (stage: Stage) => Promise<void>,
): Promise<Report> {
  const { seed, say, deadlineMs, interrupted } = options
  const fleet = await Fleet.start(options)
  const differences = new Differences()
  const events: Events = { sightings: [], movements: [], disturbances: new Map() }
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<never>((_, reject) => {
    const late = (): void => reject(new Error(`the trial was not over after ${deadlineMs! / 1_000} s`))
    if (deadlineMs !== undefined) timer = setTimeout(late, deadlineMs)
    interrupted?.addEventListener('abort', () => reject(interrupted.reason as Error))
  })
  let isClean = false
  try {
    const report = await Promise.race([tried(options, happens, { fleet, events, differences }), ended])
    isClean = differences.count === 0
    return report
  } finally {
    clearTimeout(timer)
    const isKept = !isClean && interrupted?.aborted !== true
    await fleet.end(isKept)
    if (isKept) keepFindings({ seed, events, differences, fleet }).forEach(say)
  }
}

async function tried(
  options: TrialOptions,
  happens: (stage: Stage) => Promise<void>,
  { fleet, events, differences }: Pick<Stage, 'fleet' | 'events' | 'differences'>,
): Promise<Report> {
  const { engine, seed, durationMs, patienceMs, leaseSeconds, longestHaltMs, looksAtDeadNode, say } = options
  const admin = new Admin(fleet.ports, fleet.agent, patienceMs)
  const { world, movements } = await buildWorld(seed, admin, fleet.people, events.sightings)
  events.movements.push(...movements)
  const stage: Stage = { fleet, admin, world, events, differences }
  await happens(stage)
  const waits = { leaseSeconds, ...(longestHaltMs !== undefined && { longestHaltMs }) }
  const inspected = await inspect({ ...stage, ...waits, looksAtDeadNode, say })
  return { ...inspected, engine, seed, durationMs, events, differences, fleet }
}
