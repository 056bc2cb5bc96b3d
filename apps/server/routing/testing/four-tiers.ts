import type { VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../configuration/schema/schema.ts'
import type { TestKey, TestNode } from '../../../../tests/nodes/test-node.ts'

export type TierName = 'SIMPLE' | 'MEDIUM' | 'COMPLEX' | 'REASONING'

/** A model's configuration, with one price for input and output. */
export function model(price: string, tier: TierName, more: object = {}) {
  return {
    context_length: 128_000,
    max_output_tokens: 8_000,
    pricing: { prompt: price, completion: price },
    tiers: [tier],
    supported_parameters: ['tools', 'response_format'],
    ...more,
  }
}

/**
 * A vendor with models of all tiers. Of the two of SIMPLE, the cheaper one has no tools. One accepts
 * images.
 */
export function fourTiers(vendor: VendorServer) {
  return {
    providers: {
      vendor: { style: 'openai', base_url: vendor.baseUrl() },
      sandbox: false,
    },
    limits: { burst_per_key_per_second: 1_000 },
    models: {
      'vendor/tiny': model('0.0000001', 'SIMPLE'),
      'vendor/tinier': model('0.00000005', 'SIMPLE', { supported_parameters: ['response_format'] }),
      'vendor/middle': model('0.000001', 'MEDIUM'),
      'vendor/large': model('0.000004', 'COMPLEX', { modalities: { input: ['text', 'image'] } }),
      'vendor/largest': model('0.00002', 'REASONING'),
    },
  } satisfies ConfigurationInput
}

export interface Routed {
  status: number
  model: string | null
  tier: string | null
  route: string | null
  id: string
  json: { error?: { message: string; param: string | null }; usage?: { cost_usd: string } }
}

/** Sends a request that leaves the model to the gateway, unless the body names one. */
export async function ask(at: TestNode, key: TestKey, body: object): Promise<Routed> {
  const response = await at.chat(key, { model: 'auto', max_completion_tokens: 50, ...body })
  return {
    status: response.status,
    model: response.headers.get('x-turnpike-model'),
    tier: response.headers.get('x-turnpike-tier'),
    route: response.headers.get('x-turnpike-route'),
    id: response.headers.get('x-request-id')!,
    json: (await response.json()) as Routed['json'],
  }
}

export const user = (content: unknown) => ({ role: 'user', content })
export const assistant = (content: string) => ({ role: 'assistant', content })
export const says = (text: string) => ({ messages: [user(text)] })

/** @param data in base64 */
export function image(data = 'iVBORw0KGgo=') {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }
}

export const tools = Array.from({ length: 30 }, (_, index) => ({
  type: 'function',
  function: { name: `tool_${index}`, parameters: { type: 'object', properties: {} } },
}))

/** A tool call. */
export const call = (id: string, input: string = id) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'tool_1', arguments: `{"turn":"${input}"}` } }],
})
export const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })

/** Forty conversations, whose first answers are each sent back. */
export async function sendBackForty(at: TestNode, key: TestKey): Promise<void> {
  const conversations = Array.from({ length: 40 }, async (_, index) => {
    const messages = [{ role: 'system', content: `Conversation ${index}.` }, user('hi')]
    const { id } = await ask(at, key, { messages })
    await ask(at, key, { messages, metadata: { retry_of: id } })
  })
  await Promise.all(conversations)
}
