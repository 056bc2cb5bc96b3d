import OpenAI, { APIError } from 'openai'
import {
  startVendorServer,
  type VendorRequest,
  type VendorScript,
  type VendorServer,
} from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema.ts'
import { startTestNode, type TestKey, type TestNode } from '../nodes/test-node.ts'

export const upstreamKey = 'sk-upstream-of-the-features'

/** A gateway before a simulated vendor in the place of OpenAI, and the official SDK before the gateway. */
export interface SdkNode {
  node: TestNode
  vendor: VendorServer
  key: TestKey
  client: OpenAI
  /** The vendor's latest request, and its body as JSON. */
  lastRequest(): VendorRequest & { json: Record<string, unknown> }
  stop(): Promise<void>
}

export async function startSdkNode(input: ConfigurationInput = {}): Promise<SdkNode> {
  const vendor = await startVendorServer()
  const openai = { style: 'openai' as const, base_url: vendor.baseUrl(), api_keys: [upstreamKey] }
  const node = await startTestNode({
    input: {
      providers: { openai },
      ...input,
    },
  })
  const key = await node.createKey()
  return {
    node,
    vendor,
    key,
    client: sdk(node, key.raw),
    lastRequest() {
      const { request } = vendor.journal.entries.at(-1)!
      return { ...request, json: JSON.parse(request.body.toString()) as Record<string, unknown> }
    },
    async stop() {
      await node.stop()
      await vendor.close()
    },
  }
}

/** Without retries: a test wants to see every answer. */
export function sdk(node: TestNode, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: node.baseUrl, maxRetries: 0 })
}

/** What the SDK throws for a request that is refused, or whose answer fails. */
export async function thrownBy(asked: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof APIError) return thrown
  throw new Error(`the SDK threw no APIError: ${String(thrown)}`)
}

/** An answer of the vendor made by a test. */
export function scripted(status: number, body: unknown, headers: Record<string, string> = {}): VendorScript {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers },
    steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}
