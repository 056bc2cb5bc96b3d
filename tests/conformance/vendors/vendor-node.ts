import { formatUsd } from '@turnpike/billing'
import type { PathPlan, RecordedCase, Recordings, VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import type { SaidUsage } from './oracle/said-answer.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../../nodes/node-before-vendor.ts'

type Providers = NonNullable<ConfigurationInput['providers']>
export type ProviderInput = Exclude<Providers[string], false>

export const upstreamKey = 'sk-upstream-of-the-vendors'

/** Prices that differ in every place, so that a token counted in the wrong bucket shows. */
export const prices = {
  prompt: '0.000003',
  completion: '0.000015',
  input_cache_read: '0.0000003',
  input_cache_write: '0.00000375',
  input_cache_write_1h: '0.000006',
}

/** What that much costs at these prices, reckoned apart from the gateway's own arithmetic. */
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

/** A model to call, and what its vendor does about it. */
export interface VendorModel {
  /** The recordings' name of the vendor: it decides the style and the shape of the address. */
  vendor: string
  /** The model's name at the vendor. */
  model: string
  plan: PathPlan
}

/** A gateway before one simulated server that is all vendors: each model has a provider of its own. */
export interface VendorNode extends NodeBeforeVendor {
  /** `<provider>/<model_id>`, in the order of the models given. */
  names: string[]
}

/** How a provider is configured: the vendor that it is of, and what its base URL ends in. */
interface Shape {
  provider: ProviderInput
  version: string
}

/** Where a base URL ends (docs/contract.md, 9); of the others in the version, as OpenAI's does. */
const shapes: Record<string, Shape> = {
  anthropic: { provider: { vendor: 'anthropic' }, version: '' },
  gemini: { provider: { vendor: 'gemini' }, version: '/v1beta' },
  'gemini-vertex': {
    provider: { vendor: 'vertex' },
    version: '/v1/projects/p/locations/global/publishers/google',
  },
  // What was recorded of them is chat completions, whoever asks.
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
    // What is recorded is to pass, whoever pays for it.
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

/** The name under which the vendor knows the model of a case. */
export function upstreamModel({ vendor, model }: RecordedCase): string {
  return model ?? (vendor === 'anthropic' ? 'claude-sonnet-4-5' : 'gemini-2.5-flash')
}
