import { describe, expect, it } from 'vitest'
import type { Tier } from '../tier.ts'
import type { Conversation } from './conversations.ts'
import { decideRoute, type RouteDecision, type RouteQuestion } from './decide.ts'
import type { RouteOption } from './needs.ts'

const nowMs = 1_800_000_000_000

function option(model: string, tiers: Tier[], changes: Partial<RouteOption> = {}): RouteOption {
  return {
    model,
    tiers,
    contextLength: 100_000,
    maxOutputTokens: 8_000,
    modalities: ['text'],
    parameters: ['tools'],
    ...changes,
  }
}

/** By model: pico-USD per input token, and per cached one. */
const prices: Record<string, [number, number]> = {
  small: [1, 1],
  smaller: [2, 1],
  middle: [10, 1],
  large: [40, 4],
  largest: [100, 10],
}
const ladder = [
  option('smaller', ['SIMPLE']),
  option('small', ['SIMPLE']),
  option('middle', ['MEDIUM']),
  option('large', ['COMPLEX']),
  option('largest', ['REASONING'], { modalities: ['text', 'image'] }),
]

function decide(changes: Partial<RouteQuestion>, resting: string[] = []): RouteDecision {
  const needs = { inputTokens: 1_000, outputTokens: 4_096, modalities: [], parameters: [] }
  return decideRoute({
    scored: 'SIMPLE',
    leansOnConversation: false,
    withinTurn: false,
    conversation: undefined,
    escalation: undefined,
    needs,
    options: ladder,
    refusal: () => undefined,
    expectedPico: ({ model }, _tier, cached) => {
      const [input, cacheRead] = prices[model]!
      return BigInt(input * (needs.inputTokens - cached) + cacheRead * cached)
    },
    isHealthy: ({ model }) => !resting.includes(model),
    nowMs,
    ...changes,
  })
}

const models = ({ ranking }: RouteDecision): string[] => ranking.map(({ model }) => model)

const inConversation = (changes: Partial<Conversation> = {}): Conversation => ({
  tier: 'COMPLEX',
  model: 'large',
  inputTokens: 1_000,
  usedAtMs: nowMs - 10_000,
  ...changes,
})

describe('the ranking', () => {
  it.each<[Tier, string[]]>([
    ['SIMPLE', ['small', 'smaller', 'middle', 'large']],
    ['MEDIUM', ['middle', 'large', 'largest']],
    ['COMPLEX', ['large', 'largest']],
    ['REASONING', ['largest']],
  ])('%s: has the cheapest of the tier first, then higher tiers', (scored, expected) => {
    const decision = decide({ scored })
    expect(models(decision)).toEqual(expected)
    expect(decision).toMatchObject({ tier: scored, because: [] })
  })

  it('puts a model with an open breaker last', () => {
    expect(models(decide({}, ['small']))).toEqual(['smaller', 'middle', 'large', 'largest'])
    const decision = decide({}, ['small', 'smaller'])
    expect(models(decision)).toEqual(['middle', 'large', 'largest', 'small'])
    expect(decision.tier).toBe('MEDIUM')
  })

  it('keeps room for higher tiers if the tier has many models', () => {
    const many = ['smaller', 'small', 'middle', 'large', 'largest'].map((name) => option(name, ['SIMPLE']))
    expect(models(decide({ options: many }))).toEqual(['small', 'smaller', 'middle', 'large'])
    const options = [...many.slice(0, 4), option('largest', ['REASONING'])]
    expect(models(decide({ options }))).toEqual(['small', 'smaller', 'middle', 'largest'])
  })

  it('lists a model of several tiers once', () => {
    const options = [option('small', ['SIMPLE', 'MEDIUM', 'COMPLEX']), option('large', ['COMPLEX'])]
    expect(decide({ options }).ranking.map(({ model, tier }) => [model, tier])).toEqual([
      ['small', 'SIMPLE'],
      ['large', 'COMPLEX'],
    ])
  })
})

describe('a request that a model cannot handle', () => {
  const needing = (more: Partial<RouteQuestion['needs']>): RouteDecision =>
    decide({ needs: { inputTokens: 1_000, outputTokens: 4_096, modalities: [], parameters: [], ...more } })

  it('goes to a model of a higher tier', () => {
    const decision = needing({ modalities: ['image'] })
    expect(models(decision)).toEqual(['largest'])
    expect(decision.tier).toBe('REASONING')
    expect(decision.left.get('small')).toBe('does not accept image')
    expect(decision.because).toEqual(['no model of tier SIMPLE is available: using REASONING'])
  })

  it('goes to a lower tier only if no higher one can answer', () => {
    const options = [option('small', ['SIMPLE'], { modalities: ['text', 'image'] }), ...ladder.slice(2, 4)]
    const needs = { inputTokens: 1_000, outputTokens: 10, modalities: ['image'], parameters: [] }
    expect(decide({ scored: 'COMPLEX', options, needs })).toMatchObject({ tier: 'SIMPLE' })
  })

  it('leaves an empty ranking with all reasons if no model can answer', () => {
    const decision = needing({ parameters: ['logprobs'] })
    expect(decision.ranking).toEqual([])
    expect([...decision.left]).toContainEqual(['large', 'does not support logprobs'])
    expect(decision.left.size).toBe(ladder.length)
  })

  it('counts the tokens that the answer needs', () => {
    expect(models(needing({ inputTokens: 95_904 }))).toHaveLength(4)
    expect(needing({ inputTokens: 95_905 }).left.get('small')).toMatch(/too short/)
    // A model's output is limited, whatever the request allows.
    expect(models(needing({ inputTokens: 92_000, outputTokens: 50_000 }))).toHaveLength(4)
  })

  it('also excludes models that the caller may not use', () => {
    const refusal = ({ model }: RouteOption): string | undefined =>
      model.startsWith('small') ? 'is not allowed for this key' : undefined
    const decision = decide({ refusal })
    expect(models(decision)[0]).toBe('middle')
    expect(decision.left.get('smaller')).toBe('is not allowed for this key')
  })
})

describe('a conversation', () => {
  it('moves up at once', () => {
    const conversation = inConversation({ tier: 'SIMPLE', model: 'small' })
    expect(decide({ scored: 'COMPLEX', conversation })).toMatchObject({ tier: 'COMPLEX' })
  })

  it('stays up while its cached prompt is worth more than the saving', () => {
    // Staying costs 4 per cached token; the model below costs 10 without a cache.
    const decision = decide({ scored: 'MEDIUM', conversation: inConversation() })
    expect(models(decision)[0]).toBe('large')
    expect(decision.because[0]).toMatch(/stays at COMPLEX/)
  })

  it('moves down if the saving is more than the cache is worth', () => {
    expect(decide({ scored: 'SIMPLE', conversation: inConversation() })).toMatchObject({ tier: 'SIMPLE' })
  })

  it('moves down once the cache has expired', () => {
    const conversation = inConversation({ usedAtMs: nowMs - 300_001 })
    expect(models(decide({ scored: 'MEDIUM', conversation }))[0]).toBe('middle')
  })

  it('stays up while tools respond: an escalation lasts for the whole turn', () => {
    const conversation = inConversation({ usedAtMs: 0 })
    const decision = decide({ scored: 'SIMPLE', conversation, withinTurn: true })
    expect(decision).toMatchObject({ tier: 'COMPLEX', kept: 'turn' })
    expect(decide({ scored: 'REASONING', conversation, withinTurn: true }).tier).toBe('REASONING')
  })

  it('moves down if its model is in cooldown or cannot take this request', () => {
    expect(models(decide({ scored: 'MEDIUM', conversation: inConversation() }, ['large']))[0]).toBe('middle')
    const refusal = ({ model }: RouteOption): string | undefined => (model === 'large' ? 'no' : undefined)
    expect(models(decide({ scored: 'MEDIUM', conversation: inConversation(), refusal }))[0]).toBe('middle')
  })

  it('stays at its tier after a short remark', () => {
    const remark = { scored: 'SIMPLE', leansOnConversation: true, conversation: inConversation() } as const
    expect(models(decide(remark))[0]).toBe('large')
    expect(models(decide({ ...remark, conversation: undefined }))[0]).toBe('small')
  })

  it('keeps its model among those of a tier, because of the cache', () => {
    const options = [option('middle', ['MEDIUM']), option('large', ['MEDIUM'])]
    const conversation = inConversation({ tier: 'MEDIUM' })
    expect(models(decide({ scored: 'MEDIUM', options, conversation }))).toEqual(['large', 'middle'])
  })

  it.each<[string, Tier, Conversation | undefined, Tier]>([
    ['of the prompt', 'SIMPLE', undefined, 'MEDIUM'],
    ['of the conversation', 'SIMPLE', inConversation({ usedAtMs: 0 }), 'REASONING'],
    ['and never beyond the last', 'REASONING', undefined, 'REASONING'],
  ])('goes one tier up if it stalled: above the tier %s', (_, scored, conversation, tier) => {
    const decision = decide({ scored, conversation, escalation: 'the same tool call failed three times' })
    expect(decision.tier).toBe(tier)
    expect(decision.because.at(-1)).toBe('one tier up: the same tool call failed three times')
  })
})
