import Anthropic from '@anthropic-ai/sdk'
import type { ScriptStep, VendorScript } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../../nodes/node-before-vendor.ts'

type Json = Record<string, unknown>

/** Models of the built-in catalog, with its prices. */
export const claude = 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0'
export const nova = 'bedrock/us.amazon.nova-lite-v1:0'

export const bearerKey = 'ABSKQmVkcm9ja0FQSUtleS10ZXN0'

/** A gateway in front of a simulated Bedrock, with a Bedrock API key. */
export interface BedrockNode extends NodeBeforeVendor {
  claude: Anthropic
  lastSent(): { path: string; headers: Record<string, string>; body: Json }
}

/** @param further settings besides the provider `bedrock`, which others may copy */
export async function startBedrockNode(
  further: (bedrock: { base_url: string; api_keys: string[] }) => ConfigurationInput = () => ({}),
): Promise<BedrockNode> {
  const world = await startNodeBeforeVendor((vendor) => {
    const bedrock = { base_url: vendor.baseUrl({}, ''), api_keys: [bearerKey] }
    const input = further(bedrock)
    return { ...input, providers: { bedrock, ...input.providers } }
  })
  return {
    ...world,
    claude: new Anthropic({ apiKey: world.key.raw, baseURL: world.node.origin, maxRetries: 0 }),
    lastSent() {
      const { path, headers, body } = world.vendor.journal.entries.at(-1)!.request
      return { path, headers, body: JSON.parse(body.toString()) as Json }
    },
  }
}

/** A plain answer in JSON. */
export function told(status: number, body: object, headers: Record<string, string> = {}): VendorScript {
  const bytes = Buffer.from(JSON.stringify(body))
  return script(status, { 'content-type': 'application/json', ...headers }, [bytes])
}

/** A stream with these frames, one write each. */
export function streamed(...frames: readonly Buffer[]): VendorScript {
  return script(200, { 'content-type': 'application/vnd.amazon.eventstream' }, frames)
}

function script(status: number, headers: Record<string, string>, pieces: readonly Buffer[]): VendorScript {
  const writes = pieces.map((bytes): ScriptStep => ({ type: 'bytes', bytes, tokens: 0 }))
  return { status, headers, steps: [{ type: 'head' }, ...writes, { type: 'end' }], bill: undefined }
}
