import { setTimeout as delay } from 'node:timers/promises'
import { Admin } from './admin.ts'
import { buildWorld } from './build-world.ts'
import { send } from './clients.ts'
import { Differences } from './differences.ts'
import { Fleet } from './fleet.ts'
import { inspect } from './inspection.ts'
import type { Report } from './report.ts'
import type { Events } from './events.ts'
import type { Sighting } from './sighting.ts'
import { richSlots, steadyPlan, underLoad } from './steady-load.ts'
import type { World } from './world.ts'

export interface OutageOptions {
  seed: number
  /** Of each of the two outages. */
  outageMs: number
  say: (line: string) => void
  interrupted?: AbortSignal
}

const requestsPerSecond = 100
/** Before, between and after the outages. */
const restMs = 3_000
/** Makes the first lease of a key large: later requests hold a hundredth of it. */
const warmUpMaxTokens = 4_000
const maxTokens = 40
/** What is tried is the database's absence: neither a lease's end nor a slow machine may come in between. */
const leaseSeconds = 120
const upstreamSeconds = 60

/**
 * PostgreSQL away twice, halted and shut down, under a steady load on known keys: no request fails, and none
 * is lost or charged twice once it is back.
 */
export async function outage(options: OutageOptions): Promise<Report> {
  const { seed, say, interrupted } = options
  const fleet = await Fleet.start({ engine: 'postgres', leaseSeconds, upstreamSeconds })
  const differences = new Differences()
  let keep = true
  const end = (): void => void fleet.end()
  interrupted?.addEventListener('abort', end)
  try {
    const admin = new Admin(fleet.ports, fleet.agent)
    const { world, movements } = await buildWorld(seed, admin)
    const events: Events = { sightings: [], movements, disturbances: new Map() }
    await warmUp(fleet, world, events.sightings)
    const asked = loadOn(fleet, world, events.sightings)
    await underLoad(requestsPerSecond, asked, () => away(options, fleet, events))
    for (const sighting of events.sightings) {
      if (sighting.ending === 'delivered') continue
      const { plan, key, sentAtMs, status, error } = sighting
      const atSecond = Math.round((sentAtMs - events.sightings[0]!.sentAtMs) / 1_000)
      const found = `${sighting.ending} ${status} ${error?.message} at second ${atSecond}`
      differences.add(`request n:${plan.number} of ${key.id}`, 'delivered', found)
    }
    const inspected = await inspect({
      fleet,
      admin,
      world,
      events,
      differences,
      leaseSeconds,
      looksAtDeadNode: false,
      say,
    })
    keep = differences.count > 0
    const durationMs = 2 * options.outageMs
    return { ...inspected, engine: 'postgres', seed, durationMs, events, differences, fleet }
  } finally {
    interrupted?.removeEventListener('abort', end)
    await fleet.end(keep && interrupted?.aborted !== true)
  }
}

async function away({ outageMs, say }: OutageOptions, fleet: Fleet, events: Events): Promise<void> {
  await delay(restMs)
  say(`PostgreSQL is halted for ${outageMs / 1000} s`)
  events.disturbances.set('database-halt', 1)
  await fleet.database!.halt(outageMs)
  await delay(restMs)
  say(`PostgreSQL is shut down for ${outageMs / 1000} s`)
  events.disturbances.set('database-restart', 1)
  await fleet.database!.restart(outageMs)
  await delay(restMs)
}

/** Each node gets to know each key, and takes a lease of it. */
export async function warmUp(fleet: Fleet, world: World, sightings: Sighting[]): Promise<void> {
  for (const node of fleet.nodes) {
    for (const slot of richSlots(world)) {
      const one = (node.index + 0.5) / fleet.nodes.length
      const plan = steadyPlan(sightings.length, slot, one, { maxTokens: warmUpMaxTokens })
      sightings.push(await send(plan, world.slots[slot]!.key!, fleet))
    }
  }
}

/** Requests on known keys, to all nodes in turn. */
function loadOn(fleet: Fleet, world: World, sightings: Sighting[]): (count: number) => Promise<void> {
  const slots = richSlots(world)
  const first = sightings.length
  return async (count) => {
    const slot = slots[count % slots.length]!
    const plan = steadyPlan(first + count, slot, (count % 7) / 7, { maxTokens })
    sightings.push(await send(plan, world.slots[slot]!.key!, fleet))
  }
}
