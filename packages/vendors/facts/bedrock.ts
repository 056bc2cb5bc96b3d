import type { FormatName } from '@turnpike/dialects'
import type { RegionalPrices } from '../model.ts'
import type { FactGroup, VendorFacts } from './facts.ts'
import {
  anthropicAdaptive,
  anthropicThinking,
  bedrockNova,
  bedrockNovaThinking,
  bedrockPlain,
  bedrockThinking,
  bedrockUnforced,
} from './parameters.ts'

/** Messages pass through; other formats are translated into it, since it can express more than Converse. */
const claudeFormats: readonly FormatName[] = ['bedrock-messages', 'bedrock-converse']

/** Where an inference profile calls the model. */
type Geography = 'global' | 'us' | 'eu' | 'jp' | 'au' | 'apac'

interface Claude {
  /** After the geography. */
  id: string
  name: string
  released: string
  output: number
  /** Where it can be called, if not everywhere. */
  geographies?: readonly Geography[]
  /** USD per token written for an hour: for global profiles, and within a geography. */
  hour: { global: string; other: string }
}

const usual: readonly Geography[] = ['global', 'us', 'eu', 'jp', 'au']

/** Writing a token for an hour costs twice the input price (https://aws.amazon.com/bedrock/pricing/). */
const sonnet = { global: '0.000006', other: '0.0000066' }
const opus = { global: '0.00001', other: '0.000011' }

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html. A model's name
 * includes its geography, so that its price is that of wherever it is called.
 */
const thinking: readonly Claude[] = [
  {
    id: 'claude-sonnet-4-20250514-v1:0',
    name: 'Claude Sonnet 4',
    released: '2025-05-22',
    output: 64_000,
    geographies: ['global', 'us', 'eu', 'apac'],
    hour: { global: '0.000006', other: '0.000006' },
  },
  {
    id: 'claude-opus-4-1-20250805-v1:0',
    name: 'Claude Opus 4.1',
    released: '2025-08-05',
    output: 32_000,
    geographies: ['us'],
    hour: { global: '0.00003', other: '0.00003' },
  },
  {
    id: 'claude-sonnet-4-5-20250929-v1:0',
    name: 'Claude Sonnet 4.5',
    released: '2025-09-29',
    output: 64_000,
    hour: sonnet,
  },
  {
    id: 'claude-haiku-4-5-20251001-v1:0',
    name: 'Claude Haiku 4.5',
    released: '2025-10-15',
    output: 64_000,
    hour: { global: '0.000002', other: '0.0000022' },
  },
  {
    id: 'claude-opus-4-5-20251101-v1:0',
    name: 'Claude Opus 4.5',
    released: '2025-11-24',
    output: 64_000,
    geographies: ['global', 'us', 'eu'],
    hour: opus,
  },
  { id: 'claude-opus-4-6-v1', name: 'Claude Opus 4.6', released: '2026-02-05', output: 128_000, hour: opus },
  {
    id: 'claude-sonnet-4-6',
    name: 'Claude Sonnet 4.6',
    released: '2026-02-17',
    output: 64_000,
    hour: sonnet,
  },
]

/** Models that decide themselves how much they reason. */
const adaptive: readonly Claude[] = [
  { id: 'claude-opus-4-7', name: 'Claude Opus 4.7', released: '2026-04-16', output: 128_000, hour: opus },
  { id: 'claude-opus-4-8', name: 'Claude Opus 4.8', released: '2026-05-28', output: 128_000, hour: opus },
  {
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    released: '2026-06-30',
    output: 128_000,
    hour: { global: '0.000004', other: '0.0000044' },
  },
  { id: 'claude-opus-5', name: 'Claude Opus 5', released: '2026-07-24', output: 128_000, hour: opus },
  {
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    released: '2026-09-22',
    output: 128_000,
    hour: { global: '0.000008', other: '0.0000088' },
  },
]

const claudes = [...thinking, ...adaptive]

/** Display names; the global profile is the usual one. */
const places: Record<Geography, string> = {
  global: '',
  us: ' (US)',
  eu: ' (EU)',
  jp: ' (Japan)',
  au: ' (Australia)',
  apac: ' (Asia)',
}

const idAt = (geography: Geography, { id }: Claude): string => `${geography}.anthropic.${id}`

function groupOf(claude: Claude): FactGroup {
  const { geographies = usual, released, output } = claude
  return {
    models: Object.fromEntries(geographies.map((geography) => [idAt(geography, claude), released])),
    output,
    input: ['text', 'image', 'file'],
    parameters: adaptive.includes(claude) ? anthropicAdaptive : anthropicThinking,
    formats: claudeFormats,
  }
}

function ofEach<Value>(make: (claude: Claude, geography: Geography) => Value): Record<string, Value> {
  return Object.fromEntries(
    claudes.flatMap((claude) =>
      (claude.geographies ?? usual).map((geography) => [idAt(geography, claude), make(claude, geography)]),
    ),
  )
}

const unforced = { input: ['text'], parameters: bedrockUnforced } as const
const nova = { input: ['text', 'image', 'file'], parameters: bedrockNova } as const

/** The regions whose prices the data has for names without a geography. */
const american: RegionalPrices = { known: ['us-east-1', 'us-east-2', 'us-west-2'] }

/** Claude, and models of other makers in the US: https://aws.amazon.com/bedrock/pricing/ */
export const bedrockFacts: VendorFacts = {
  groups: [
    ...claudes.map(groupOf),
    {
      models: { 'us.amazon.nova-micro-v1:0': '2024-12-03' },
      output: 10_000,
      input: ['text'],
      parameters: bedrockNova,
    },
    {
      ...nova,
      models: { 'us.amazon.nova-lite-v1:0': '2024-12-03', 'us.amazon.nova-pro-v1:0': '2024-12-03' },
      output: 10_000,
    },
    { ...nova, models: { 'us.amazon.nova-premier-v1:0': '2025-04-30' }, output: 32_000 },
    {
      models: { 'global.amazon.nova-2-lite-v1:0': '2025-12-02', 'us.amazon.nova-2-lite-v1:0': '2025-12-02' },
      output: 65_536,
      input: ['text', 'image', 'file'],
      parameters: bedrockNovaThinking,
    },
    { ...unforced, models: { 'us.meta.llama3-3-70b-instruct-v1:0': '2024-12-06' }, output: 8_192 },
    {
      models: {
        'us.meta.llama4-maverick-17b-instruct-v1:0': '2025-04-05',
        'us.meta.llama4-scout-17b-instruct-v1:0': '2025-04-05',
      },
      output: 8_192,
      input: ['text', 'image'],
      parameters: bedrockUnforced,
    },
    { ...unforced, models: { 'us.deepseek.r1-v1:0': '2025-03-10' }, output: 32_768 },
    { ...unforced, models: { 'us.writer.palmyra-x5-v1:0': '2025-04-28' }, output: 8_192 },
    {
      models: {
        'amazon.nova-micro-v1:0': '2024-12-03',
        'mistral.mistral-large-3-675b-instruct': '2025-12-02',
      },
      output: 10_000,
      input: ['text'],
      parameters: bedrockPlain,
      regional: american,
    },
    {
      ...nova,
      models: { 'amazon.nova-lite-v1:0': '2024-12-03', 'amazon.nova-pro-v1:0': '2024-12-03' },
      output: 10_000,
      regional: american,
    },
    {
      models: { 'openai.gpt-oss-120b-1:0': '2025-08-05', 'openai.gpt-oss-20b-1:0': '2025-08-05' },
      output: 16_384,
      input: ['text'],
      parameters: bedrockThinking,
      regional: american,
    },
    {
      ...unforced,
      models: {
        'qwen.qwen3-32b-v1:0': '2025-09-18',
        'qwen.qwen3-coder-30b-a3b-v1:0': '2025-09-18',
        'google.gemma-3-27b-it': '2025-12-02',
      },
      output: 8_192,
      regional: american,
    },
  ],
  names: ofEach(({ name }, geography) => name + places[geography]),
  hourWrites: ofEach(({ hour }, geography) => (geography === 'global' ? hour.global : hour.other)),
}
