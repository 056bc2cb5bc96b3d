import type { Usage } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { parseUsage } from './usage.ts'

const tokens = (modality: unknown, tokenCount?: number): object => ({ modality, tokenCount })

const table: [string, object, Usage][] = [
  [
    'a prompt and an answer',
    { promptTokenCount: 8, candidatesTokenCount: 354, totalTokenCount: 2064, thoughtsTokenCount: 1702 },
    { inputTokens: 8, outputTokens: 354, reasoningTokens: 1702 },
  ],
  [
    'cached tokens, which are within the prompt’s',
    { promptTokenCount: 557, cachedContentTokenCount: 330, candidatesTokenCount: 73 },
    { inputTokens: 227, cacheReadTokens: 330, outputTokens: 73 },
  ],
  [
    'what Google’s own tools read, beside the prompt',
    {
      promptTokenCount: 427,
      toolUsePromptTokenCount: 771,
      toolUsePromptTokensDetails: [tokens('TEXT', 771)],
      candidatesTokenCount: 122,
    },
    { inputTokens: 1198, outputTokens: 122 },
  ],
  [
    'sound, images and documents, in part from the cache',
    {
      promptTokenCount: 1000,
      promptTokensDetails: [
        tokens('TEXT', 100),
        tokens('AUDIO', 300),
        tokens('IMAGE', 200),
        tokens('DOCUMENT', 400),
      ],
      cachedContentTokenCount: 250,
      cacheTokensDetails: [tokens('AUDIO', 120), tokens('DOCUMENT', 130)],
      candidatesTokenCount: 5,
    },
    {
      inputTokens: 100,
      cacheReadTokens: 130,
      cacheReadAudioTokens: 120,
      inputAudioTokens: 180,
      inputImageTokens: 470,
      outputTokens: 5,
    },
  ],
  [
    'pictures in the answer, and its service tier',
    {
      promptTokenCount: 3,
      candidatesTokenCount: 1_300,
      candidatesTokensDetails: [tokens('IMAGE', 1_290)],
      serviceTier: 'priority',
    },
    { inputTokens: 3, outputTokens: 10, outputImageTokens: 1_290, serviceTier: 'priority' },
  ],
  [
    "the service tier in Vertex AI's word",
    { promptTokenCount: 3, candidatesTokenCount: 1, trafficType: 'ON_DEMAND_PRIORITY' },
    { inputTokens: 3, outputTokens: 1, serviceTier: 'ON_DEMAND_PRIORITY' },
  ],
  [
    'enumerations as numbers, and sound in the answer',
    {
      promptTokenCount: 10,
      promptTokensDetails: [tokens(1, 4), tokens(4, 6)],
      candidatesTokenCount: 9,
      candidatesTokensDetails: [tokens('AUDIO', 7), tokens('TEXT', 2)],
    },
    { inputTokens: 4, inputAudioTokens: 6, outputTokens: 2, outputAudioTokens: 7 },
  ],
  [
    'an answer that was not counted, and a kind without a count',
    { promptTokenCount: 3, promptTokensDetails: [tokens('AUDIO')] },
    { inputTokens: 3 },
  ],
  [
    'details beyond the total',
    { promptTokenCount: 10, cachedContentTokenCount: 8, promptTokensDetails: [tokens('IMAGE', 50)] },
    { inputTokens: 0, cacheReadTokens: 8, inputImageTokens: 2 },
  ],
]

describe('Google’s usage', () => {
  it.each(table)('includes %s', (_name, raw, usage) => expect(parseUsage(raw)).toEqual({ ...usage, raw }))

  it.each([null, undefined, {}, 'x', { trafficType: 'ON_DEMAND' }])(
    'is unknown, not zero, if the prompt was not counted: %j',
    (raw) => expect(parseUsage(raw)).toBeUndefined(),
  )

  it.each([
    { promptTokenCount: -1 },
    { promptTokenCount: 'three' },
    { promptTokenCount: 1, candidatesTokenCount: 1e308 },
    { promptTokenCount: 1, thoughtsTokenCount: -5 },
  ])('is implausible if a number is not a count: %j', (raw) =>
    expect(parseUsage(raw)).toEqual({ raw, disbelieved: 'implausible' }),
  )
})
