import OpenAI, { APIError } from 'openai'
import type { VendorRequest, VendorScript } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../nodes/node-before-vendor.ts'
import type { TestNode } from '../nodes/test-node.ts'

export const upstreamKey = 'sk-upstream-of-the-features'

/** A gateway in front of a simulated OpenAI, and the official SDK as its client. */
export interface SdkNode extends NodeBeforeVendor {
  client: OpenAI
  /** The vendor's latest request, with its body as JSON. */
  lastRequest(): VendorRequest & { json: Record<string, unknown> }
}

export async function startSdkNode(input: ConfigurationInput = {}): Promise<SdkNode> {
  const world = await startNodeBeforeVendor((vendor) => ({
    providers: { openai: { style: 'openai', base_url: vendor.baseUrl(), api_keys: [upstreamKey] } },
    ...input,
  }))
  return {
    ...world,
    client: sdk(world.node, world.key.raw),
    lastRequest() {
      const { request } = world.vendor.journal.entries.at(-1)!
      return { ...request, json: JSON.parse(request.body.toString()) as Record<string, unknown> }
    },
  }
}

/** Without retries, so that a test sees every response. */
export function sdk(node: TestNode, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: node.baseUrl, maxRetries: 0 })
}

/** The error that the SDK throws for a refused request or a failed answer. */
export async function thrownBy(asked: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof APIError) return thrown
  throw new Error(`the SDK threw no APIError: ${String(thrown)}`)
}

/** A vendor's response, made by a test. */
export function scripted(status: number, body: unknown, headers: Record<string, string> = {}): VendorScript {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers },
    steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}
