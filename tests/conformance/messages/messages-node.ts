import type { VendorScript, VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../../nodes/node-before-vendor.ts'
import type { TestKey, TestNode } from '../../nodes/test-node.ts'
import { asAnthropic } from '../vendors/scripted/as-anthropic.ts'
import { asDeepseek, asMistral, asOpenai } from '../vendors/scripted/as-chat.ts'
import { asCohere } from '../vendors/scripted/as-cohere.ts'
import { asGoogle } from '../vendors/scripted/as-google.ts'
import {
  plainScript,
  streamScript,
  type ScriptedAnswer,
  type ScriptedVendor,
} from '../vendors/scripted/scripted-answer.ts'

type Json = Record<string, unknown>

/** A vendor of each style, by the name of its provider, with a model. */
export const styles = {
  anthropic: { model: 'anthropic/claude-sonnet-4-6', says: asAnthropic, path: '' },
  openai: { model: 'openai/gpt-5-mini', says: asOpenai, path: '/v1' },
  gemini: { model: 'gemini/gemini-3-flash', says: asGoogle, path: '/v1beta' },
  mistral: { model: 'mistral/mistral-large', says: asMistral, path: '/v1' },
  deepseek: { model: 'deepseek/deepseek-chat', says: asDeepseek, path: '/v1' },
  cohere: { model: 'cohere/command-a-reasoning-08-2025', says: asCohere, path: '/v2' },
  local: { model: 'local/llama', says: asOpenai, path: '/v1' },
} as const satisfies Record<string, { model: string; says: ScriptedVendor; path: string }>

export type StyleName = keyof typeof styles

export const styleNames = Object.keys(styles) as StyleName[]
export const otherStyles = styleNames.filter((name) => name !== 'anthropic')

const pricing = {
  prompt: '0.000003',
  completion: '0.000015',
  input_cache_read: '0.0000003',
  input_cache_write: '0.00000375',
  input_cache_write_1h: '0.000006',
  web_search: '0.01',
}

export interface Answered {
  status: number
  body: { error?: { type: string; message: string; param?: string } } & Json
  text: string
  headers: Headers
}

/** A gateway in front of vendors of every style, whose answers a test queues. */
export class MessagesNode {
  readonly vendor: VendorServer
  readonly node: TestNode
  readonly key: TestKey
  readonly stop: () => Promise<void>

  constructor({ vendor, node, key, stop }: NodeBeforeVendor) {
    this.vendor = vendor
    this.node = node
    this.key = key
    this.stop = stop
  }

  /** `POST /v1/messages`, with a short conversation by default. */
  async post(
    body: Json | string,
    {
      key = this.key,
      headers = {},
      path = '',
    }: { key?: TestKey; headers?: Record<string, string>; path?: string } = {},
  ): Promise<Answered> {
    const messages = [{ role: 'user', content: 'Hello' }]
    const response = await fetch(`${this.node.origin}/v1/messages${path}`, {
      method: 'POST',
      headers: {
        'x-api-key': key.raw,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify({ max_tokens: 100, messages, ...body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const answer = isJson ? (JSON.parse(text) as Answered['body']) : {}
    return { status: response.status, body: answer, text, headers: response.headers }
  }

  /** Makes the vendor of this style answer `Yes.`, or the given answer. */
  says(style: StyleName, answer: Partial<ScriptedAnswer> = {}, stream = false): void {
    const usage = { input: 10, cached: 0, output: 5, reasoning: 0 }
    const scriptedAnswer = { text: 'Yes.', usage, ...answer }
    this.next((stream ? streamScript : plainScript)(styles[style].says, scriptedAnswer))
  }

  next(script: VendorScript): void {
    this.vendor.director.forgetPlans()
    this.vendor.next({ script })
  }

  /** How many requests the vendors got. */
  get asked(): number {
    return this.vendor.journal.total
  }

  /** The latest request that a vendor got. */
  lastSent(): Json {
    return JSON.parse(this.vendor.journal.entries.at(-1)!.request.body.toString()) as Json
  }

  /** The row of a request, as its account's users see it. */
  row(
    answered: Pick<Answered, 'headers'>,
    key = this.key,
  ): Promise<{ charge_usd: string; usage: Json; status: number }> {
    const id = answered.headers.get('x-request-id')!
    return this.node.admin(`/accounts/${key.accountId}/usage/requests/${id}`)
  }
}

export async function startMessagesNode(input: ConfigurationInput = {}): Promise<MessagesNode> {
  return new MessagesNode(await startNodeBeforeVendor((vendor) => inputOf(vendor, input)))
}

function inputOf(vendor: VendorServer, input: ConfigurationInput): ConfigurationInput {
  const providers: NonNullable<ConfigurationInput['providers']> = {}
  const models: NonNullable<ConfigurationInput['models']> = {}
  for (const [name, { model, path }] of Object.entries(styles)) {
    const base_url = `${vendor.origin}${path}`
    providers[name] =
      name === 'local'
        ? { style: 'openai', base_url, api_keys: ['sk-1'] }
        : { vendor: name, base_url, api_keys: ['sk-1'] }
    models[model] = {
      pricing,
      context_length: 200_000,
      max_output_tokens: 64_000,
      upstreams: [{ provider: name, model: model.split('/')[1]! }],
      modalities: { input: ['text', 'image', 'file'], output: ['text'] },
    }
  }
  return {
    ...input,
    providers: { ...providers, ...input.providers },
    models: { ...models, ...input.models },
  }
}
