import type { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { pauseOf, randomOf } from '../chance.ts'
import { httpCall } from './http-call.ts'
import { nextRequest, type BadRequest, type RequestPlan } from './requests.ts'
import { seenIn, type Sighting } from './sighting.ts'
import type { World, WorldKey } from '../world/world.ts'

export interface ClientsOptions {
  seed: number
  clients: number
  world: World
  /** Where the nodes listen: always all of them, even while one is down. */
  ports: readonly number[]
  agent: Agent
  sightings: Sighting[]
}

/** Longer than any halt and timeout of the run together: a request that takes longer would never end. */
const deadlineMs = 120_000
const retryAfterUnreachedMs = 100
/** The distance between two clients' request numbers, so that they never overlap. */
const numbersOfClient = 1_000_000

/** Clients that send requests until the signal; resolves once each has its last response. */
export async function runClients(options: ClientsOptions, until: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: options.clients }, (_, client) => runClient(client, options, until)))
}

async function runClient(client: number, options: ClientsOptions, until: AbortSignal): Promise<void> {
  const { seed, world, sightings } = options
  const random = randomOf(seed, `client ${client}`)
  await delay(pauseOf(random, 200))
  for (let count = 0; !until.aborted; count++) {
    const plan = nextRequest(random, client * numbersOfClient + count, world.slots.length)
    const key = keyOf(plan, world)
    if (key === undefined) {
      await delay(plan.pauseMs)
      continue
    }
    sightings.push(await sendUntilReached(plan, key, options, until))
    await delay(plan.pauseMs)
  }
}

function keyOf({ slot, endedKey }: RequestPlan, world: World): WorldKey | undefined {
  const ended = endedKey ? world.keys.findLast((key) => key.endedAtMs !== undefined) : undefined
  return ended ?? world.slots[slot]!.key
}

/** A refused connection does not count as a request: the client tries again. */
async function sendUntilReached(
  plan: RequestPlan,
  key: WorldKey,
  options: ClientsOptions,
  until: AbortSignal,
): Promise<Sighting> {
  for (;;) {
    const sighting = await send(plan, key, options)
    if (sighting.ending !== 'unreached' || until.aborted) return sighting
    await delay(retryAfterUnreachedMs)
  }
}

export async function send(
  plan: RequestPlan,
  key: WorldKey,
  { ports, agent }: Pick<ClientsOptions, 'ports' | 'agent'>,
): Promise<Sighting> {
  const node = Math.floor(plan.node * ports.length)
  const body = plan.bad === undefined ? JSON.stringify(bodyOf(plan)) : badBody(plan, plan.bad)
  const sentAtMs = Date.now()
  const result = await httpCall({
    port: ports[node]!,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: headersOf(plan, key),
    body,
    agent,
    deadlineMs,
    ...leaving(plan),
  })
  const requestId = result.headers['x-request-id']
  return {
    plan,
    key,
    node,
    bodyBytes: Buffer.byteLength(body),
    sentAtMs,
    endedAtMs: Date.now(),
    requestId: typeof requestId === 'string' ? requestId : undefined,
    status: result.status,
    ...seenIn(result, plan.stream),
  }
}

/** The tag by which a request's row is found, even if its client never learnt the request's identifier. */
export function numberTag(number: number): string {
  return `n:${number}`
}

function headersOf(plan: RequestPlan, key: WorldKey): Record<string, string> {
  const raw = plan.bad === 'key' ? `${key.raw}x` : key.raw
  return {
    authorization: `Bearer ${raw}`,
    'content-type': 'application/json',
    'x-turnpike-tags': numberTag(plan.number),
  }
}

function bodyOf(plan: RequestPlan): Record<string, unknown> {
  return {
    model: plan.model,
    messages: [{ role: 'user', content: plan.prompt }],
    metadata: { tags: plan.tags },
    ...boundsOf(plan),
    ...(plan.stream && { stream: true, stream_options: { include_usage: plan.includeUsage } }),
  }
}

function boundsOf({ maxTokens, smallerBound }: RequestPlan): Record<string, number> {
  if (maxTokens === undefined) return {}
  if (smallerBound === undefined) return { max_completion_tokens: maxTokens }
  return { max_completion_tokens: smallerBound, max_tokens: maxTokens }
}

function badBody(plan: RequestPlan, bad: BadRequest): string {
  const body = bodyOf(plan)
  if (bad === 'json') return JSON.stringify(body).slice(0, -1)
  if (bad === 'model') body.model = 'vendor/nobody'
  if (bad === 'messages') body.messages = []
  if (bad === 'tags') body.metadata = { tags: Array.from({ length: 21 }, (_, index) => `tag:${index}`) }
  if (bad === 'field') body.max_completion_tokens = 'many'
  return JSON.stringify(body)
}

function leaving({ leaves }: RequestPlan): {
  onProgress?: (text: string) => boolean
  leaveAfterMs?: number
} {
  if (leaves === undefined) return {}
  if ('afterMs' in leaves) return { leaveAfterMs: leaves.afterMs }
  return { onProgress: (text) => text.split('\n\n').length > leaves.afterEvents }
}
