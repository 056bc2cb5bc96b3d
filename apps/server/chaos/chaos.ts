import { setTimeout as delay } from 'node:timers/promises'
import { findRedis, RedisServer } from '../../../packages/limits/testing/redis-server.ts'
import type { ConfigurationInput } from '../configuration/schema.ts'
import { Readiness } from '../testing/readiness.ts'
import { Admin } from '../torture/admin.ts'
import { buildWorld } from '../torture/build-world.ts'
import { send } from '../torture/clients.ts'
import { Differences } from '../torture/differences.ts'
import { Fleet } from '../torture/fleet.ts'
import { inspect } from '../torture/inspection.ts'
import { warmUp } from '../torture/outage.ts'
import type { Report } from '../torture/report.ts'
import type { Events } from '../torture/events.ts'
import type { Sighting } from '../torture/sighting.ts'
import { richSlots, steadyPlan, underLoad } from '../torture/steady-load.ts'
import type { World } from '../torture/world.ts'
import { Gate } from './gate.ts'
import { troubles, type Parts, type Trouble } from './parts.ts'

export interface ChaosOptions {
  seed: number
  /** How long each part is away. */
  troubleMs: number
  say: (line: string) => void
}

const requestsPerSecond = 40
/** Tokens a second of an answer: some are always under way. */
const pace = 20
const maxTokens = 40
/** Before the first trouble, and after each: until what it was has come back. */
const restMs = 1_000
/** What is tried is the parts' absence: a lease's end may not come in between. */
const leaseSeconds = 120
/** For how long a vendor may be silent before another one is asked. */
const upstreamSeconds = 2
/** Of one request: nodes that nobody listens at are passed over, as a balancer does. */
const mostTries = 20
const tryAgainMs = 50

/** What became of the requests of a trouble's time. */
export interface Tally {
  part: string
  requests: number
  delivered: number
  /** Broken or ended by an error event, where the design allows for it. */
  allowed: number
  failed: number
}

export interface ChaosReport extends Report {
  tallies: Tally[]
}

/**
 * Two nodes, PostgreSQL, two vendors and Redis, of which each is killed and halted in turn under a steady
 * load; counts what fails against the design's promises, and compares the books at the end.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, say, troubleMs } = options
  const program = findRedis()
  const redis = program === undefined ? undefined : await RedisServer.start(program)
  if (redis === undefined) say('chaos: without Redis, which this machine does not have')
  let vendor: Gate | undefined
  const configure = async (input: ConfigurationInput, port: number): Promise<ConfigurationInput> => {
    vendor = await Gate.before(port)
    return configuration(input, { first: vendor.port, second: port, redisUrl: redis?.url })
  }
  const fleet = await Fleet.start({ engine: 'postgres', leaseSeconds, upstreamSeconds, configure })
  const readiness = new Readiness(fleet.ports)
  const differences = new Differences()
  let keep = true
  try {
    const admin = new Admin(fleet.ports, fleet.agent)
    const { world, movements } = await buildWorld(seed, admin)
    const events: Events = { sightings: [], movements, disturbances: new Map() }
    await warmUp(fleet, world, events.sightings)
    const tallies: Tally[] = []
    const parts: Parts = { fleet, vendor: vendor!, redis }
    for (const trouble of troubles) {
      if (redis === undefined && trouble.part.startsWith('Redis')) continue
      const before = events.sightings.length
      const request = askingOn({ fleet, readiness, world, sightings: events.sightings })
      await underLoad(requestsPerSecond, request, () => befall(trouble, parts, troubleMs))
      tallies.push(tallyOf(trouble, events.sightings.slice(before), differences))
    }
    const looking = { fleet, admin, world, events, differences, leaseSeconds, looksAtDeadNode: false, say }
    const inspected = await inspect(looking)
    keep = differences.count > 0
    const durationMs = tallies.length * (troubleMs + 2 * restMs)
    return { ...inspected, engine: 'postgres', seed, durationMs, events, differences, fleet, tallies }
  } finally {
    readiness.close()
    await fleet.end(keep)
    await vendor?.down()
    await redis?.remove()
  }
}

async function befall(trouble: Trouble, parts: Parts, troubleMs: number): Promise<void> {
  await delay(restMs)
  await trouble.cause(parts, troubleMs)
  await delay(restMs)
}

/** Requests on known keys, each to one of the nodes that are ready. */
function askingOn({
  fleet,
  readiness,
  world,
  sightings,
}: {
  fleet: Fleet
  readiness: Readiness
  world: World
  sightings: Sighting[]
}): (count: number) => Promise<void> {
  const slots = richSlots(world)
  const first = sightings.length
  const nodeOf = (turn: number): number => {
    const { ready } = readiness
    const ports = ready.length === 0 ? fleet.ports : ready
    return fleet.ports.indexOf(ports[turn % ports.length]!)
  }
  return async (count) => {
    const slot = slots[count % slots.length]!
    for (let tries = 0; ; tries++) {
      const node = (nodeOf(count + tries) + 0.5) / fleet.ports.length
      const plan = steadyPlan(first + count, slot, node, { maxTokens, pace })
      const sighting = await send(plan, world.slots[slot]!.key!, fleet)
      // Nobody saw it: it goes to the next one.
      if (sighting.ending !== 'unreached' || tries === mostTries) return void sightings.push(sighting)
      await delay(tryAgainMs)
    }
  }
}

function tallyOf({ part, allows }: Trouble, sightings: Sighting[], differences: Differences): Tally {
  const tally: Tally = { part, requests: sightings.length, delivered: 0, allowed: 0, failed: 0 }
  for (const { ending, plan, status, error, key, node } of sightings) {
    if (ending === 'delivered') tally.delivered++
    else if (ending === allows) tally.allowed++
    else {
      tally.failed++
      const found = `${ending} ${status} ${error?.message ?? ''} by node ${node}`
      differences.add(`${part}: request n:${plan.number} of ${key.id}`, 'delivered', found)
    }
  }
  return tally
}

/** Each model has two vendors, and each node the same Redis. */
function configuration(
  input: ConfigurationInput,
  { first, second, redisUrl }: { first: number; second: number; redisUrl: string | undefined },
): ConfigurationInput {
  const provider = (port: number) => ({
    style: 'openai' as const,
    base_url: `http://127.0.0.1:${port}/v1`,
    api_keys: ['sk-vendor'],
  })
  const models = Object.entries(input.models ?? {}).map(([id, model]) => {
    const name = id.slice(id.indexOf('/') + 1)
    const upstreams = ['vendor', 'spare'].map((one) => ({ provider: one, model: name }))
    return [id, { ...model, upstreams }] as const
  })
  return {
    ...input,
    server: { ...input.server, drain_delay_seconds: 1 },
    providers: { vendor: provider(first), spare: provider(second), sandbox: false },
    models: Object.fromEntries(models),
    ...(redisUrl !== undefined && { redis: { url: redisUrl } }),
  }
}
