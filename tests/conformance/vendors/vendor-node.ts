import { formatUsd } from '@turnpike/billing'
import type { PathPlan, RecordedCase, Recordings, VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import type { SaidUsage } from './oracle/said-answer.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../../nodes/node-before-vendor.ts'

type Providers = NonNullable<ConfigurationInput['providers']>
export type ProviderInput = Exclude<Providers[string], false>

export const upstreamKey = 'sk-upstream-of-the-vendors'

/** Prices that differ in every digit, so that a token in the wrong bucket shows. */
export const prices = {
  prompt: '0.000003',
  completion: '0.000015',
  input_cache_read: '0.0000003',
  input_cache_write: '0.00000375',
  input_cache_write_1h: '0.000006',
}

/** The cost of this usage at these prices, computed independently of the gateway's own arithmetic. */
export function costUsd({ prompt, completion, cached, cacheWritten, written1h }: SaidUsage): string {
  const tokens: [number, string][] = [
    [prompt - cached - cacheWritten, prices.prompt],
    [cached, prices.input_cache_read],
    [cacheWritten - written1h, prices.input_cache_write],
    [written1h, prices.input_cache_write_1h],
    [completion, prices.completion],
  ]
  const pico = tokens.map(([count, price]) => BigInt(count) * BigInt(Math.round(Number(price) * 1e12)))
  return formatUsd(pico.reduce((sum, part) => sum + part))
}

/** A model to call, and its vendor's behaviour. */
export interface VendorModel {
  /** The vendor's name in the recordings, which determines the style and the form of the address. */
  vendor: string
  /** The vendor's name for the model. */
  model: string
  plan: PathPlan
}

/** A gateway in front of one simulated server that acts as all vendors; each model has its own provider. */
export interface VendorNode extends NodeBeforeVendor {
  /** `<provider>/<model_id>`, in the order of the given models. */
  names: string[]
}

/** The configuration of a provider: its vendor, and the end of its base URL. */
interface Shape {
  provider: ProviderInput
  version: string
}

/** The end of a base URL (docs/contract.md, 9); for other vendors it is the version, as for OpenAI. */
const shapes: Record<string, Shape> = {
  anthropic: { provider: { vendor: 'anthropic' }, version: '' },
  gemini: { provider: { vendor: 'gemini' }, version: '/v1beta' },
  'gemini-vertex': {
    provider: { vendor: 'vertex' },
    version: '/v1/projects/p/locations/global/publishers/google',
  },
  // Their recordings are of chat completions, whatever the caller's format is.
  openai: { provider: { vendor: 'openai', formats: ['openai-chat'] }, version: '/v1' },
  azure: { provider: { vendor: 'azure', formats: ['openai-chat'] }, version: '' },
  openrouter: { provider: { vendor: 'openrouter', formats: ['openai-chat'] }, version: '/v1' },
  perplexity: { provider: { vendor: 'perplexity' }, version: '' },
  cohere: { provider: { vendor: 'cohere' }, version: '/v2' },
  responses: { provider: { style: 'openai-responses' }, version: '/v1' },
  completions: { provider: { style: 'openai', formats: ['openai-completions'] }, version: '/v1' },
  bedrock: { provider: { vendor: 'bedrock' }, version: '' },
  'bedrock-claude': { provider: { vendor: 'bedrock', formats: ['bedrock-messages'] }, version: '' },
  'openai-compatible': { provider: { style: 'openai' }, version: '/v1' },
}

function shapeOf(vendor: string): Shape {
  return shapes[vendor] ?? { provider: { vendor }, version: '/v1' }
}

export async function startVendorNode(
  models: readonly VendorModel[],
  recordings?: Recordings,
): Promise<VendorNode> {
  const input = (vendor: VendorServer): ConfigurationInput => inputOf(models, vendor)
  const world = await startNodeBeforeVendor(input, { vendor: { cases: recordings }, creditUsd: '1000' })
  return { ...world, names: models.map(nameOf) }
}

function providerOf(wanted: VendorModel, index: number): string {
  return `${wanted.vendor}-${index}`
}

function nameOf(wanted: VendorModel, index: number): string {
  return `${providerOf(wanted, index)}/${wanted.model}`
}

function inputOf(models: readonly VendorModel[], vendor: VendorServer): ConfigurationInput {
  const providers: Providers = {}
  const configured: NonNullable<ConfigurationInput['models']> = {}
  for (const [index, wanted] of models.entries()) {
    const provider = providerOf(wanted, index)
    const shape = shapeOf(wanted.vendor)
    const base_url = vendor.baseUrl(wanted.plan, shape.version)
    // Recordings must pass whether or not the caller pays extra for something.
    providers[provider] = {
      ...shape.provider,
      base_url,
      api_keys: [upstreamKey],
      allow_unpriced: ['*'],
    }
    configured[nameOf(wanted, index)] = {
      pricing: prices,
      context_length: 1_000_000,
      max_output_tokens: 64_000,
      upstreams: [{ provider, model: wanted.model }],
    }
  }
  return { providers, models: configured }
}

/** The vendor's name for the model of a case. */
export function upstreamModel({ vendor, model }: RecordedCase): string {
  return model ?? (vendor === 'anthropic' ? 'claude-sonnet-4-5' : 'gemini-2.5-flash')
}
