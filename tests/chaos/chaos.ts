import { setTimeout as delay } from 'node:timers/promises'
import { findRedis, RedisServer } from '../../packages/limits/testing/redis-server.ts'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { Readiness } from '../nodes/readiness.ts'
import { send } from '../torture/clients/clients.ts'
import type { Differences } from '../torture/comparison/differences.ts'
import type { Fleet } from '../torture/fleet/fleet.ts'
import { warmUp } from '../torture/fleet/outage.ts'
import type { Report } from '../torture/report.ts'
import type { Sighting } from '../torture/clients/sighting.ts'
import { richSlots, steadyPlan, underLoad } from '../torture/clients/steady-load.ts'
import { trial, type Stage, type TrialOptions } from '../torture/trial.ts'
import type { World } from '../torture/world/world.ts'
import { Gate } from './gate.ts'
import { troubles, type Parts, type Trouble } from './parts.ts'

export interface ChaosOptions extends Pick<TrialOptions, 'seed' | 'say' | 'deadlineMs'> {
  /** How long each part is away. */
  troubleMs: number
}

const requestsPerSecond = 40
/** Tokens a second of an answer, slow enough that some answers are always in progress. */
const pace = 20
const maxTokens = 40
/** Pause before the first trouble and after each one, until the part is back. */
const restMs = 1_000
/** The test is about the parts' absence, so no lease may expire meanwhile. */
const leaseSeconds = 120
/**
 * How long a vendor may be silent before the gateway tries another. The vendors share this process, and the
 * machine with other work, so a vendor that is only slow must not count as silent.
 */
const upstreamSeconds = 5
/** As behind a load balancer, which must learn of a stop in time, even on a slow machine. */
const drainDelaySeconds = 5
/** Answers that take a second may take many on a busy machine, and all of them must finish. */
const drainSeconds = 120
/** For one request: it skips nodes that refuse the connection, as a load balancer does. */
const mostTries = 20
const tryAgainMs = 50

/** Outcomes of the requests during one trouble. */
export interface Tally {
  part: string
  requests: number
  delivered: number
  /** Broken, or ended by an error event, where docs/contract.md, 15 allows that. */
  allowed: number
  failed: number
}

export interface ChaosReport extends Report {
  tallies: Tally[]
}

/**
 * Runs two nodes, PostgreSQL, two vendors and Redis, and kills and halts each of them in turn under a steady
 * load. Counts the failures that docs/contract.md, 15 does not allow, and compares the books at the end.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const program = findRedis()
  const redis = program === undefined ? undefined : await RedisServer.start(program)
  if (redis === undefined) options.say('chaos: without Redis, which this machine does not have')
  const present = troubles.filter(({ part }) => redis !== undefined || !part.startsWith('Redis'))
  const tallies: Tally[] = []
  let vendor: Gate | undefined
  const configure = async (input: ConfigurationInput, port: number): Promise<ConfigurationInput> => {
    vendor = await Gate.before(port)
    return configuration(input, { first: vendor.port, second: port, redisUrl: redis?.url })
  }
  const trialOptions: TrialOptions = {
    ...options,
    engine: 'postgres',
    durationMs: present.length * (options.troubleMs + 2 * restMs),
    leaseSeconds,
    upstreamSeconds,
    looksAtDeadNode: false,
    configure,
  }
  try {
    const report = await trial(trialOptions, async (stage) => {
      const parts = { fleet: stage.fleet, vendor: vendor!, redis, silentMs: upstreamSeconds * 1_000 }
      const readiness = new Readiness(stage.fleet.ports)
      try {
        for (const trouble of present) tallies.push(await suffer(trouble, parts, readiness, stage, options))
      } finally {
        readiness.close()
      }
    })
    return { ...report, tallies }
  } finally {
    await vendor?.down()
    await redis?.remove()
  }
}

async function suffer(
  trouble: Trouble,
  parts: Parts,
  readiness: Readiness,
  { fleet, world, events: { sightings }, differences }: Stage,
  { troubleMs, say }: ChaosOptions,
): Promise<Tally> {
  // Without a database, only known keys with a lease work (docs/contract.md, 15), and a new node knows none.
  await warmUp(fleet, world, sightings)
  const before = sightings.length
  const request = askingOn({ fleet, readiness, world, sightings })
  const fromMs = Date.now()
  await underLoad(requestsPerSecond, request, () => befall(trouble, parts, troubleMs))
  const tally = tallyOf(trouble, fromMs, sightings.slice(before), differences)
  say(tallyLine(tally, Date.now() - fromMs))
  return tally
}

async function befall(trouble: Trouble, parts: Parts, troubleMs: number): Promise<void> {
  await delay(restMs)
  await trouble.cause(parts, troubleMs)
  await delay(restMs)
}

/** Sends requests with known keys, each to one of the ready nodes. */
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
    // Each node gets requests with each key.
    const slot = slots[Math.floor(count / fleet.nodes.length) % slots.length]!
    for (let tries = 0; ; tries++) {
      const node = (nodeOf(count + tries) + 0.5) / fleet.ports.length
      const plan = steadyPlan(first + count, slot, node, { maxTokens, pace })
      const sighting = await send(plan, world.slots[slot]!.key!, fleet)
      // The node did not receive the request, so it goes to the next node.
      if (sighting.ending !== 'unreached' || tries === mostTries) return void sightings.push(sighting)
      await delay(tryAgainMs)
    }
  }
}

function tallyOf(
  { part, allows }: Trouble,
  fromMs: number,
  sightings: readonly Sighting[],
  differences: Differences,
): Tally {
  const tally: Tally = { part, requests: sightings.length, delivered: 0, allowed: 0, failed: 0 }
  for (const sighting of sightings) {
    if (sighting.ending === 'delivered') tally.delivered++
    else if (sighting.ending === allows) tally.allowed++
    else {
      tally.failed++
      const { requestId = 'a request', plan, key } = sighting
      differences.add(
        `${part}: ${requestId} (n:${plan.number}) of ${key.id}`,
        'delivered',
        failureOf(sighting, fromMs),
      )
    }
  }
  return tally
}

function tallyLine({ part, requests, delivered, allowed, failed }: Tally, tookMs: number): string {
  const counts = `${requests} requests, ${delivered} delivered, ${allowed} cut, ${failed} failed`
  return `chaos: ${part}: ${counts}, in ${Math.round(tookMs / 1_000)} s`
}

function failureOf(
  { ending, status, error, node, sentAtMs, endedAtMs, text }: Sighting,
  fromMs: number,
): string {
  const errorText = error === undefined ? '' : `, ${error.type}: ${error.message}`
  const when = `sent ${sentAtMs - fromMs} ms into it, over ${endedAtMs - sentAtMs} ms later`
  const what = `${ending}, status ${status ?? 'none'}${errorText}`
  return `${what}, by node ${node}, ${when}, with ${text.length} characters`
}

/** Gives each model two vendors, and all nodes the same Redis. */
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
    server: { ...input.server, drain_delay_seconds: drainDelaySeconds, drain_seconds: drainSeconds },
    providers: { vendor: provider(first), spare: provider(second), sandbox: false },
    models: Object.fromEntries(models),
    ...(redisUrl !== undefined && { redis: { url: redisUrl } }),
  }
}
