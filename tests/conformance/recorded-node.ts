import OpenAI from 'openai'
import type { RecordedCase, Recordings, VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../nodes/node-before-vendor.ts'
import type { TestKey, TestNode } from '../nodes/test-node.ts'
import { replayPlan } from './vendors/replayed-cases.ts'

/** Prices that differ in every digit, so that a token in the wrong bucket shows. */
export const prices = { prompt: '0.0000025', input_cache_read: '0.00000125', completion: '0.00001' }

export const upstreamKey = 'sk-upstream-of-the-recordings'

/** A gateway in front of a vendor that replays recordings; each case has its own provider and model. */
export interface RecordedNode extends NodeBeforeVendor {
  /** `<provider>/<model_id>`, whose answer is the recorded one. */
  modelOf(recorded: RecordedCase): string
}

/** The vendor's name for the model of a case. */
export function upstreamModel(recorded: RecordedCase): string {
  return recorded.model ?? 'unnamed'
}

export async function startRecordedNode(
  recordings: Recordings,
  cases: readonly RecordedCase[],
): Promise<RecordedNode> {
  const names = new Map<string, string>()
  const input = (vendor: VendorServer): ConfigurationInput => {
    const providers: NonNullable<ConfigurationInput['providers']> = {}
    const models: Record<string, object> = {}
    for (const [index, recorded] of cases.entries()) {
      // Recordings must pass whether or not the caller pays extra for something.
      providers[`r${index}`] = {
        style: 'openai',
        base_url: vendor.baseUrl(replayPlan(recordings, recorded, index)),
        api_keys: [upstreamKey],
        allow_unpriced: ['*'],
      }
      const name = `r${index}/${upstreamModel(recorded)}`
      models[name] = {
        pricing: prices,
        upstreams: [{ provider: `r${index}`, model: upstreamModel(recorded) }],
      }
      names.set(recorded.id, name)
    }
    return { providers, models }
  }
  const world = await startNodeBeforeVendor(input, { vendor: { cases: recordings } })
  return { ...world, modelOf: (recorded) => names.get(recorded.id)! }
}

/** The official SDK, which also keeps the raw text of responses. */
export interface ListeningClient {
  client: OpenAI
  /** Text of the latest response. */
  text: () => Promise<string>
}

export function listeningClient(node: TestNode, key: TestKey): ListeningClient {
  let copy: Promise<string> | undefined
  const client = new OpenAI({
    apiKey: key.raw,
    baseURL: node.baseUrl,
    maxRetries: 0,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      // Read at once: an unread copy would stop the response itself.
      copy = response.clone().text()
      return response
    },
  })
  return { client, text: async () => (await copy) ?? '' }
}
