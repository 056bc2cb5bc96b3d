import type { Vendor, VendorScript, VendorServer } from '@turnpike/simulators'
import type OpenAI from 'openai'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../../nodes/node-before-vendor.ts'
import { scripted, sdk } from '../sdk-node.ts'

/** 5 tokens in and 3 out cost 11 millionths of a dollar. */
const pricing = { prompt: '0.000001', completion: '0.000002' }
export const counts = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
export const costUsd = '0.000011'

/** A gateway in front of one server that acts as OpenAI, vLLM, and a vendor of conversations only. */
export interface CompletionsNode extends NodeBeforeVendor {
  /** The official SDK. */
  client: OpenAI
  /** The vendor's latest request, with its path. */
  sent(): { path: string; text: string; body: Record<string, unknown> }
  ask(body: object, headers?: Record<string, string>): Promise<Response>
}

/** @param answers the server's default answer; undefined: each test queues one */
export async function startCompletionsNode(answers?: Vendor): Promise<CompletionsNode> {
  const world = await startNodeBeforeVendor(inputOf, {
    vendor: answers === undefined ? {} : { vendor: answers },
  })
  const { node, vendor, key } = world
  return {
    ...world,
    client: sdk(node, key.raw),
    sent() {
      const { path, body: bytes } = vendor.journal.entries.at(-1)!.request
      const text = bytes.toString()
      return { path, text, body: JSON.parse(text) as Record<string, unknown> }
    },
    ask: (body, headers = {}) => node.post(key, '/completions', body, { headers }),
  }
}

function inputOf(vendor: VendorServer): ConfigurationInput {
  const at = { base_url: vendor.baseUrl(), api_keys: ['sk-vendor'] }
  const model = { pricing, context_length: 100_000, max_output_tokens: 8_000 }
  return {
    providers: {
      openai: at,
      vllm: at,
      azure: { ...at, base_url: vendor.baseUrl({}, '') },
      deepseek: { ...at, formats: ['deepseek-chat', 'openai-completions'] },
      mistral: at,
      house: { style: 'openai', ...at },
      local: { style: 'openai', ...at, formats: ['openai-chat', 'openai-completions'] },
      claude: { style: 'anthropic', ...at, base_url: vendor.baseUrl({}, '') },
    },
    models: {
      'openai/gpt-3.5-turbo-instruct': { pricing },
      'vllm/m': model,
      'azure/m': { ...model, formats: ['openai-completions'] },
      'deepseek/m': model,
      'mistral/codestral-latest': { pricing },
      'house/m': model,
      'local/m': model,
      'claude/m': model,
    },
    billing: { read_on_seconds: 0 },
  }
}

/** A plain answer of completions, as from OpenAI. */
export function answerOf(texts: readonly string[], more: object = {}): object {
  return {
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1_759_117_917,
    model: 'm-0914',
    choices: texts.map((text, index) => ({ text, index, logprobs: null, finish_reason: 'length' })),
    usage: counts,
    ...more,
  }
}

/** The same as a stream of single choices, as from OpenAI; the model comes after the choices. */
export function streamOf(
  pieces: readonly (readonly [index: number, text: string])[],
  usage: object | null = counts,
): VendorScript {
  const head = { id: 'cmpl-1', object: 'text_completion', created: 1_759_117_917 }
  const tail = { model: 'm-0914', ...(usage === null ? {} : { usage: null }) }
  const last = new Map(pieces.map(([index], at) => [index, at]))
  const chunks: object[] = pieces.map(([index, text], at) => ({
    ...head,
    choices: [{ text, index, logprobs: null, finish_reason: last.get(index) === at ? 'length' : null }],
    ...tail,
  }))
  if (usage !== null) chunks.push({ ...head, choices: [], ...tail, usage })
  const payloads = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  return scripted(200, payloads.map((one) => `data: ${one}\n\n`).join(''), {
    'content-type': 'text/event-stream',
  })
}

/** A plain answer of chat completions. */
export function chatAnswer(content: string): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_759_117_917,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: counts,
  }
}
