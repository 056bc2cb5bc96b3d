import { setTimeout as delay } from 'node:timers/promises'
import type { Admin } from './world/admin.ts'
import { pauseOf, randomOf } from './chance.ts'
import { runClients } from './clients/clients.ts'
import { disturb, nextDisturbance } from './fleet/disturbances.ts'
import type { Events } from './events.ts'
import type { Fleet } from './fleet/fleet.ts'
import { fallIntoDebt, nextMovement, perform } from './world/movements.ts'
import { UnderWay } from './under-way.ts'
import { progressLine, type Report } from './report.ts'
import { trial, type Stage, type TrialOptions } from './trial.ts'
import type { World } from './world/world.ts'

export interface TortureOptions extends Omit<TrialOptions, 'looksAtDeadNode' | 'periodsEndInMs'> {
  /** How long clients and disturbances run; the waiting and the comparison are added to it. */
  durationMs: number
  clients: number
  /** Mean time between two disturbances. */
  disturbanceEveryMs: number
  longestHaltMs: number
  movementEveryMs: number
  patienceMs: number
}

/** How long it may take to create everything that clients need. */
const worldMs = 5_000
const sayEveryMs = 30_000
const watchEveryMs = 500
/** On a busy machine a start takes long. Nodes that are never up, or only move credit, test nothing. */
const mostDisturbancesAtOnce = 2
const mostMovementsAtOnce = 40
/** The part of the run after which an account falls into debt. */
const debtAfter = 0.25

/** Tests one engine: real processes under random clients and random events. */
export function torture(options: TortureOptions): Promise<Report> {
  const periodsEndInMs = worldMs + options.durationMs / 2
  return trial({ ...options, periodsEndInMs, looksAtDeadNode: true }, (stage) => storm(options, stage))
}

/** Runs clients, movements and disturbances until the time is up; resolves once all of them have ended. */
async function storm(options: TortureOptions, { fleet, admin, world, events }: Stage): Promise<void> {
  const { seed, say, durationMs } = options
  const stop = new AbortController()
  const over = setTimeout(() => stop.abort(), durationMs)
  const startedAtMs = Date.now()
  const line = setInterval(() => say(progressLine(events, fleet, Date.now() - startedAtMs)), sayEveryMs)
  const watch = setInterval(() => fleet.nodes.forEach((node) => node.watch()), watchEveryMs)
  const until = AbortSignal.any([stop.signal, ...(options.interrupted ? [options.interrupted] : [])])
  const { agent, ports } = fleet
  const { clients } = options
  try {
    await Promise.all([
      runClients({ seed, clients, world, ports, agent, sightings: events.sightings }, until),
      runMovements(options, admin, world, events, until),
      runDisturbances(options, fleet, events, until),
      runDebts(options, admin, world, events, until),
    ])
  } finally {
    clearTimeout(over)
    clearInterval(line)
    clearInterval(watch)
  }
}

/** Starts each movement independently of those in progress, up to a limit. */
async function runMovements(
  { seed, movementEveryMs }: TortureOptions,
  admin: Admin,
  world: World,
  events: Events,
  until: AbortSignal,
): Promise<void> {
  const random = randomOf(seed, 'movements')
  const underWay = new UnderWay(mostMovementsAtOnce)
  for (let count = 0; await paused(pauseOf(random, movementEveryMs), until); count++) {
    const plan = nextMovement(random, `move-${seed}-${count}`, world)
    const done = perform(plan, world, admin, randomOf(seed, plan.id)).then((movements) => {
      events.movements.push(...movements)
    })
    await underWay.add(done)
  }
  await underWay.all()
}

/** Starts once the account's keys have leases on all nodes. */
async function runDebts(
  { seed, durationMs }: TortureOptions,
  admin: Admin,
  world: World,
  { movements }: Events,
  until: AbortSignal,
): Promise<void> {
  if (!(await paused(durationMs * debtAfter, until))) return
  movements.push(...(await fallIntoDebt(world, seed, admin, randomOf(seed, 'debts'))))
}

async function runDisturbances(
  { seed, disturbanceEveryMs, longestHaltMs }: TortureOptions,
  fleet: Fleet,
  { disturbances }: Events,
  until: AbortSignal,
): Promise<void> {
  const random = randomOf(seed, 'disturbances')
  const underWay = new UnderWay(mostDisturbancesAtOnce)
  while (await paused(pauseOf(random, disturbanceEveryMs), until)) {
    const disturbance = nextDisturbance(random, fleet, longestHaltMs)
    disturbances.set(disturbance.kind, (disturbances.get(disturbance.kind) ?? 0) + 1)
    await underWay.add(disturb(disturbance, fleet))
  }
  await underWay.all()
}

/** False if the time was up meanwhile. */
async function paused(forMs: number, until: AbortSignal): Promise<boolean> {
  await delay(forMs, undefined, { signal: until }).catch(() => undefined)
  return !until.aborted
}
