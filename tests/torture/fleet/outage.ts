import { setTimeout as delay } from 'node:timers/promises'
import { send } from '../clients/clients.ts'
import type { Differences } from '../comparison/differences.ts'
import type { Events } from '../events.ts'
import type { Fleet } from './fleet.ts'
import type { Report } from '../report.ts'
import type { Sighting } from '../clients/sighting.ts'
import { richSlots, steadyPlan, underLoad } from '../clients/steady-load.ts'
import { trial, type TrialOptions } from '../trial.ts'
import type { World } from '../world/world.ts'

export interface OutageOptions extends Pick<TrialOptions, 'seed' | 'say' | 'deadlineMs' | 'interrupted'> {
  /** Duration of each of the two outages. */
  outageMs: number
}

const requestsPerSecond = 100
/** Pause before, between and after the outages. */
const restMs = 3_000
/** Makes a key's first lease large: later requests hold a hundredth of it. */
const warmUpMaxTokens = 4_000
const mostWarmUps = 20
const warmUpPauseMs = 500
const maxTokens = 40
/** The test is about the database's absence, so neither an expired lease nor a slow machine may interfere. */
const leaseSeconds = 120
const upstreamSeconds = 60

/**
 * Takes PostgreSQL away twice, halted and shut down, under a steady load with known keys: no request may
 * fail, and none may be lost or charged twice.
 */
export function outage(options: OutageOptions): Promise<Report> {
  const trialOptions: TrialOptions = {
    ...options,
    engine: 'postgres',
    durationMs: 2 * options.outageMs,
    leaseSeconds,
    upstreamSeconds,
    looksAtDeadNode: false,
  }
  return trial(trialOptions, async ({ fleet, world, events, differences }) => {
    await warmUp(fleet, world, events.sightings)
    const first = events.sightings.length
    const asked = loadOn(fleet, world, events.sightings)
    await underLoad(requestsPerSecond, asked, () => away(options, fleet, events))
    expectDelivered(events.sightings.slice(first), differences)
  })
}

function expectDelivered(sightings: readonly Sighting[], differences: Differences): void {
  for (const { ending, plan, key, sentAtMs, status, error, requestId = 'a request' } of sightings) {
    if (ending === 'delivered') continue
    const atSecond = Math.round((sentAtMs - sightings[0]!.sentAtMs) / 1_000)
    const found = `${ending} ${status} ${error?.message} at second ${atSecond}`
    differences.add(`${requestId} (n:${plan.number}) of ${key.id}`, 'delivered', found)
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

/** Makes each node learn each key and take a lease of it. */
export async function warmUp(fleet: Fleet, world: World, sightings: Sighting[]): Promise<void> {
  for (const node of fleet.nodes) {
    for (const slot of richSlots(world)) {
      const one = (node.index + 0.5) / fleet.nodes.length
      await untilDelivered(sightings, () => {
        const plan = steadyPlan(sightings.length, slot, one, { maxTokens: warmUpMaxTokens })
        return send(plan, world.slots[slot]!.key!, fleet)
      })
    }
  }
}

/** Nothing is disturbed at that time, but a busy machine may need more than one attempt. */
async function untilDelivered(sightings: Sighting[], request: () => Promise<Sighting>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const sighting = await request()
    sightings.push(sighting)
    if (sighting.ending === 'delivered') return
    if (attempt === mostWarmUps)
      throw new Error(`node ${sighting.node}: ${sighting.ending} ${sighting.error?.message ?? ''}`)
    await delay(warmUpPauseMs)
  }
}

/** Requests with known keys, to all nodes in turn. */
function loadOn(fleet: Fleet, world: World, sightings: Sighting[]): (count: number) => Promise<void> {
  const slots = richSlots(world)
  const first = sightings.length
  return async (count) => {
    const slot = slots[count % slots.length]!
    const plan = steadyPlan(first + count, slot, (count % 7) / 7, { maxTokens })
    sightings.push(await send(plan, world.slots[slot]!.key!, fleet))
  }
}
