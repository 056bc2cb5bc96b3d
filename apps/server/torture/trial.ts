import { Admin } from './admin.ts'
import { buildWorld } from './build-world.ts'
import { Differences } from './differences.ts'
import type { Events } from './events.ts'
import { Fleet, type FleetOptions } from './fleet.ts'
import { inspect } from './inspection.ts'
import type { Report } from './report.ts'
import type { World } from './world.ts'

export interface TrialOptions extends FleetOptions {
  seed: number
  durationMs: number
  /** How long a movement is sent again whose first call a node may have taken to its grave. */
  patienceMs?: number
  /** Whether a node is killed once more, to see what becomes of its leases. */
  looksAtDeadNode: boolean
  say: (line: string) => void
  /** Ends everything at once. */
  interrupted?: AbortSignal
}

/** What there is to be disturbed, and what is seen meanwhile. */
export interface Stage {
  fleet: Fleet
  admin: Admin
  world: World
  events: Events
  differences: Differences
}

/**
 * A fleet with accounts and keys, and what `happens` to it; then quiet, and the books. Its processes are
 * ended whatever happens; the folders stay where the books differ.
 */
export async function trial(
  options: TrialOptions,
  happens: (stage: Stage) => Promise<void>,
): Promise<Report> {
  const { engine, seed, durationMs, leaseSeconds, looksAtDeadNode, say, interrupted } = options
  const fleet = await Fleet.start(options)
  let keep = true
  const end = (): void => void fleet.end()
  interrupted?.addEventListener('abort', end)
  try {
    const admin = new Admin(fleet.ports, fleet.agent, options.patienceMs)
    const { world, movements } = await buildWorld(seed, admin)
    const events: Events = { sightings: [], movements, disturbances: new Map() }
    const differences = new Differences()
    const stage: Stage = { fleet, admin, world, events, differences }
    await happens(stage)
    const inspected = await inspect({ ...stage, leaseSeconds, looksAtDeadNode, say })
    keep = differences.count > 0
    return { ...inspected, engine, seed, durationMs, events, differences, fleet }
  } finally {
    interrupted?.removeEventListener('abort', end)
    await fleet.end(keep && interrupted?.aborted !== true)
  }
}
