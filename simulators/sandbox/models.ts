import type { Pricing } from '@turnpike/protocol'

/** A model of the sandbox: plain data in the shape of a catalog entry. */
export interface SandboxModel {
  id: string
  name: string
  /** Unix epoch seconds. */
  created: number
  ownedBy: string
  contextLength: number
  maxOutputTokens: number
  pricing: Pricing
  operations: ('generate' | 'embed' | 'rerank' | 'moderate')[]
  /** Length of its vectors. */
  dimensions?: number
  modalities: { input: string[]; output: string[] }
  supportedParameters: string[]
  tiers: string[]
  /** Auto-routing uses it only while no vendor is configured. */
  isPlaceholder: boolean
  upstreams: { provider: string; model: string }[]
  fallbacks: string[]
}

export type SandboxModelName = 'echo' | 'lorem'

/** Length of the sandbox's vectors if the request does not set it. */
export const sandboxDimensions = 256

const created = 1_767_225_600
const supportedParameters = [
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stop',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'response_format',
]

function sandboxModel(name: SandboxModelName, title: string): SandboxModel {
  return {
    id: `sandbox/${name}`,
    name: title,
    created,
    ownedBy: 'sandbox',
    contextLength: 131_072,
    maxOutputTokens: 8192,
    pricing: { prompt: '0.0000001', completion: '0.0000004', input_cache_read: '0.00000001' },
    operations: ['generate'],
    modalities: { input: ['text'], output: ['text'] },
    supportedParameters: [...supportedParameters],
    tiers: name === 'lorem' ? ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING'] : [],
    isPlaceholder: true,
    upstreams: [{ provider: 'sandbox', model: name }],
    fallbacks: [],
  }
}

/** Prices are low but not zero, so that a first run shows everything: holds, charges, balance. */
export const sandboxModels: readonly SandboxModel[] = [
  sandboxModel('echo', 'Sandbox Echo'),
  sandboxModel('lorem', 'Sandbox Lorem'),
  {
    ...sandboxModel('echo', 'Sandbox Embed'),
    id: 'sandbox/embed',
    contextLength: 8_192,
    maxOutputTokens: 0,
    pricing: { prompt: '0.00000002', completion: '0' },
    operations: ['embed'],
    dimensions: sandboxDimensions,
    modalities: { input: ['text'], output: ['embeddings'] },
    supportedParameters: ['dimensions', 'encoding_format'],
    upstreams: [{ provider: 'sandbox', model: 'embed' }],
  },
  {
    ...sandboxModel('echo', 'Sandbox Rerank'),
    id: 'sandbox/rerank',
    contextLength: 8_192,
    maxOutputTokens: 0,
    pricing: { prompt: '0.00000002', completion: '0' },
    operations: ['rerank'],
    modalities: { input: ['text'], output: ['scores'] },
    supportedParameters: ['top_n'],
    upstreams: [{ provider: 'sandbox', model: 'rerank' }],
  },
  {
    ...sandboxModel('echo', 'Sandbox Moderate'),
    id: 'sandbox/moderate',
    contextLength: 8_192,
    maxOutputTokens: 0,
    pricing: { prompt: '0.00000001', completion: '0' },
    operations: ['moderate'],
    modalities: { input: ['text'], output: ['categories'] },
    supportedParameters: [],
    upstreams: [{ provider: 'sandbox', model: 'moderate' }],
  },
]
