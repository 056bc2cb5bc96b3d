import { parseUsd, formatUsd } from '@turnpike/billing'
import type { JournalEntry, VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../nodes/node-before-vendor.ts'
import type { TestKey, TestNode } from '../nodes/test-node.ts'
import { faultyVendor, type Misbehaviour } from './faulty-vendor.ts'

/** The fields of `GET …/usage/requests/{id}` that these tests use. */
export interface Row {
  outcome: string
  status: number
  model_served: string | null
  provider: string | null
  tokens_in: number
  tokens_out: number
  cost_usd: string
  hold_usd: string
  attempts: {
    provider: string
    model: string
    key?: number
    status: number | null
    result: string
    duration_ms: number
  }[]
}

export interface Asked {
  response: Response
  body: string
  row: Row
}

/** A gateway in front of a vendor that misbehaves depending on the path. */
export class FaultNode {
  readonly node: TestNode
  readonly vendor: VendorServer
  readonly misbehaviours: Map<string, Misbehaviour>
  readonly key: TestKey
  readonly stop: () => Promise<void>

  constructor({ node, vendor, key, stop }: NodeBeforeVendor, misbehaviours: Map<string, Misbehaviour>) {
    this.node = node
    this.vendor = vendor
    this.misbehaviours = misbehaviours
    this.key = key
    this.stop = stop
  }

  /** Sends a chat completion; returns the complete response and its row. */
  async ask(body: Record<string, unknown>, options: { signal?: AbortSignal } = {}): Promise<Asked> {
    return this.#asked(await this.node.chat(this.key, { messages: hello, ...body }, options))
  }

  /** The same for embeddings. */
  async embed(body: Record<string, unknown>): Promise<Asked> {
    return this.#asked(await this.node.post(this.key, '/embeddings', { input: texts, ...body }))
  }

  async #asked(response: Response): Promise<Asked> {
    const body = await response.text()
    return { response, body, row: await this.row(response.headers.get('x-request-id')!) }
  }

  row(requestId: string): Promise<Row> {
    return this.node.admin<Row>(`/accounts/${this.key.accountId}/usage/requests/${requestId}`)
  }

  /** The vendor's calls for one request, which is identified by its `user`. */
  callsOf(user: string): JournalEntry[] {
    return this.vendor.journal.entries.filter((entry) => entry.request.body.includes(`"${user}"`))
  }
}

export const hello = [{ role: 'user', content: 'one two three [sandbox: pace=0]' }]
export const texts = ['one two three', 'four']

/** @param input receives a function that returns the vendor's base URL for a misbehaviour */
export async function startFaultNode(
  misbehaviours: Map<string, Misbehaviour>,
  input: (urlOf: (name: string) => string) => ConfigurationInput,
): Promise<FaultNode> {
  const world = await startNodeBeforeVendor(
    ({ origin }) => input((name) => `${origin}/${encodeURIComponent(name)}/v1`),
    { vendor: { vendor: faultyVendor(misbehaviours) } },
  )
  return new FaultNode(world, misbehaviours)
}

/** The cost of these tokens, computed independently of the gateway's own arithmetic. */
export function costOf(
  { tokens_in: tokensIn, tokens_out: tokensOut }: Pick<Row, 'tokens_in' | 'tokens_out'>,
  price: { prompt: string; completion: string },
): string {
  return formatUsd(BigInt(tokensIn) * parseUsd(price.prompt) + BigInt(tokensOut) * parseUsd(price.completion))
}

/** The text of a plain response, or of a stream's chunks. */
export function textOf(body: string): string {
  if (body.startsWith('{')) {
    const { choices } = JSON.parse(body) as { choices: { message: { content: string } }[] }
    return choices[0]!.message.content
  }
  return chunksOf(body)
    .map(({ choices }) => choices[0]?.delta?.content ?? '')
    .join('')
}

interface Chunk {
  model: string
  choices: { delta?: { content?: string }; finish_reason: string | null }[]
  error?: { type: string; code: number }
}

export function chunksOf(body: string): Chunk[] {
  return body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Chunk)
}
