import type { Vendor, VendorRequest, VendorScript, VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../../apps/server/configuration/schema/schema.ts'
import { list, object, text, type Json } from '../oracle/json.ts'
import { prices } from '../vendor-node.ts'
import { asAnthropic } from './as-anthropic.ts'
import { asDeepseek, asMistral, asOpenai } from './as-chat.ts'
import { asCohere } from './as-cohere.ts'
import { asGoogle } from './as-google.ts'
import { asResponses } from './as-responses.ts'
import { plainScript, streamScript, type ScriptedAnswer, type ScriptedVendor } from './scripted-answer.ts'

/** One server that acts as a vendor of each style and derives its answers from the requests. */

interface Style {
  says: ScriptedVendor
  /** The end of the base URL. */
  version: string
  model: string
}

export const styles = {
  anthropic: { says: asAnthropic, version: '', model: 'claude-sonnet-4-5' },
  openai: { says: asOpenai, version: '/v1', model: 'gpt-5-mini' },
  'openai-responses': { says: asResponses, version: '/v1', model: 'gpt-5.2-codex' },
  google: { says: asGoogle, version: '/v1beta', model: 'gemini-2.5-flash' },
  deepseek: { says: asDeepseek, version: '/v1', model: 'deepseek-reasoner' },
  mistral: { says: asMistral, version: '/v1', model: 'magistral-medium-latest' },
  cohere: { says: asCohere, version: '/v2', model: 'command-a-reasoning-08-2025' },
} satisfies Record<string, Style>

export type StyleName = keyof typeof styles
export const styleNames = Object.keys(styles) as StyleName[]

/** A vendor's request, in any style. */
export interface Asked {
  style: StyleName
  /** The path after the base URL's. */
  path: string
  body: Json
  stream: boolean
  /** How many rounds of tool results follow a turn of the model. */
  rounds: number
}

export function styledVendor(answer: (asked: Asked) => ScriptedAnswer | VendorScript): Vendor {
  return {
    answer(request) {
      const asked = askedOf(request)
      const script = answer(asked)
      if ('steps' in script) return script
      const { says } = styles[asked.style]
      const answered = { ...script, asked: asked.body }
      return asked.stream ? streamScript(says, answered) : plainScript(says, answered)
    },
  }
}

/** The gateway's configuration for such a server: a provider and a model of each style. */
export function styledInput(vendor: VendorServer): ConfigurationInput {
  const providers: NonNullable<ConfigurationInput['providers']> = {}
  const models: NonNullable<ConfigurationInput['models']> = {}
  for (const style of styleNames) {
    const { version, model } = styles[style]
    const base_url = vendor.baseUrl({}, `/${style}${version}`)
    // Each provider has only its own format: OpenAI itself would be called by Responses for their callers.
    const formats = style === 'openai' ? { formats: ['openai-chat' as const] } : {}
    // Cohere's format is not a style, because no other vendor speaks it.
    const kind = style === 'cohere' ? { vendor: style } : { style }
    providers[style] = { ...kind, base_url, api_keys: ['sk-vendor'], ...formats }
    models[`${style}/${model}`] = { pricing: prices, context_length: 1_000_000, max_output_tokens: 64_000 }
  }
  return { providers, models }
}

/** `<provider>/<model_id>` */
export function modelOf(style: StyleName): string {
  return `${style}/${styles[style].model}`
}

export function askedOf({ path, body: bytes }: VendorRequest): Asked {
  const style = path.split('/')[1] as StyleName
  const body = object(JSON.parse(bytes.toString('utf8')))
  const turns = list(body['messages'] ?? body['contents'] ?? body['input'])
  const rounds = turns.filter((turn, at) => holdsResult(turn) && !holdsResult(turns[at - 1] ?? {})).length
  const stream = body['stream'] === true || path.includes(':streamGenerateContent')
  return { style, path: path.slice(style.length + 1), body, stream, rounds }
}

function holdsResult({ type, role, content, parts }: Json): boolean {
  if (text(role) === 'tool' || text(type).endsWith('_call_output')) return true
  return [...list(content), ...list(parts)].some(
    (part) => part['type'] === 'tool_result' || part['functionResponse'] !== undefined,
  )
}
