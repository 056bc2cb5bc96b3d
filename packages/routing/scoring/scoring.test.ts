import { describe, expect, test } from 'vitest'
import type { Message } from '@turnpike/protocol'
import { tiers } from '../tier.ts'
import { profileDeltas } from './profiles.ts'
import { tierFor } from './prompt-score.ts'
import { promptToScore } from './prompt-to-score.ts'
import { scorePrompt } from './score-prompt.ts'

/** Properties that hold for any weights, so these tests run without the training data. */

const long = 'The list may be long. '.repeat(200)

const asks = [
  'hi',
  'What is the capital of Norway?',
  'Translate "good evening" to Danish',
  'Write a function that merges two sorted lists, with tests.',
  'Summarize this paragraph: The committee met. It did not agree, so it will meet again.',
  'A baker makes 24 rolls a day. He sells 3 boxes of 5 and eats 2. How many rolls are left after 4 days?',
  'Prove that the square root of three is irrational. Show each step.',
  'Design a multi-region message queue with consumer groups, dead letters, replay, quotas, and monitoring.',
  'Which of these is a noble gas?\nA. Oxygen\nB. Argon\nC. Iron\nD. Chlorine\nAnswer:',
  '用归纳法证明：前 n 个奇数之和等于 n 的平方。',
  'Straßen in München: welche ist die längste?',
  `def f(x):\n    return [y * 2 for y in x if y % 3 == 1]\nassert f([1, 4, 5]) == ??\n${long}`,
]

/** Each prompt with its name in the list of tests. */
const named = asks.map((ask): [string, string] => [ask.slice(0, 50), ask])

const tierOf = (text: string): string => scorePrompt({ text }).tier

function user(text: string): Message {
  return { role: 'user', content: [{ kind: 'text', text }] }
}

describe('the score does not depend on', () => {
  test.each(named)('white space: %s', (_, ask) => {
    const padded = `\n\n  ${ask.replaceAll(' ', '  ').replaceAll('\n', ' \n\n\t')}\n \n`
    expect(tierOf(padded)).toBe(tierOf(ask))
    expect(scorePrompt({ text: padded }).score).toBeCloseTo(scorePrompt({ text: ask }).score, 1)
  })

  test.each(named)('case: %s', (_, ask) => {
    const { tier, score } = scorePrompt({ text: ask })
    for (const other of [ask.toUpperCase(), ask.toLowerCase()]) {
      expect(tierOf(other)).toBe(tier)
      expect(scorePrompt({ text: other }).score).toBeCloseTo(score, 6)
    }
  })

  test.each(named)('a system prompt, tools and reminders: %s', (_, ask) => {
    const keywords = 'prove theorem algorithm distributed kubernetes analyze step by step reasoning '.repeat(
      500,
    )
    const reminder = `<system-reminder>\nThink step by step. ${keywords}\n</system-reminder>`
    const conversation: Message[] = [
      { role: 'system', content: [{ kind: 'text', text: keywords }] },
      {
        role: 'user',
        content: [
          { kind: 'text', text: reminder },
          { kind: 'text', text: ask },
        ],
      },
    ]
    const alone = promptToScore([user(ask)])
    const within = promptToScore(conversation)
    expect(within).toEqual(alone)
    expect(promptToScore([user(`${ask}\n${reminder}`)])).toEqual(alone)
    expect(scorePrompt(within).tier).toBe(tierOf(ask))
  })

  test.each(['hi', 'what is 2 + 2?', 'What colour is grass?', 'thanks', 'Is 8 even?', 'Name a vegetable.'])(
    'a flourish raises at most one tier: %s',
    (ask) => {
      const before = tiers.indexOf(scorePrompt({ text: ask }).tier)
      for (const text of [`${ask} Prove this step by step.`, `prove this step by step: ${ask}`]) {
        expect(tiers.indexOf(scorePrompt({ text }).tier)).toBeLessThanOrEqual(before + 1)
      }
    },
  )
})

describe('everyday prompts are cheap, hard ones are not', () => {
  test.each([
    'hi',
    'Hello!',
    'thanks',
    '你好',
    'bonjour',
    'What is the capital of Norway?',
    'show me README.md',
  ])('SIMPLE: %s', (ask) => expect(tierOf(ask)).toBe('SIMPLE'))

  test.each([asks[6]!, asks[7]!, asks[9]!])('COMPLEX or more: %s', (ask) =>
    expect(['COMPLEX', 'REASONING']).toContain(tierOf(ask)),
  )

  test('an unknown text is not SIMPLE, and not confident', () => {
    for (const text of ['', '🜁🜂🜃', 'ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ']) {
      const score = scorePrompt({ text })
      expect(score.confident).toBe(false)
      expect(score.tier).not.toBe('SIMPLE')
      expect(tierFor(score, 1)).not.toBe('SIMPLE')
    }
  })
})

describe('a score', () => {
  test.each(named)('has probabilities that rise from tier to tier: %s', (_, ask) => {
    const score = scorePrompt({ text: ask })
    const { SIMPLE, MEDIUM, COMPLEX, REASONING } = score.probabilities
    expect([SIMPLE, MEDIUM, COMPLEX, REASONING].every((value) => value >= 0 && value <= 1)).toBe(true)
    expect(SIMPLE <= MEDIUM && MEDIUM <= COMPLEX && COMPLEX <= REASONING).toBe(true)
    expect(score.score).toBeGreaterThanOrEqual(0)
    expect(score.score).toBeLessThanOrEqual(1)
  })

  test.each(named)('needs at least as high a tier under premium as under eco: %s', (_, ask) => {
    const score = scorePrompt({ text: ask })
    const [eco, auto, premium] = [profileDeltas.eco, profileDeltas.auto, profileDeltas.premium].map((delta) =>
      tiers.indexOf(tierFor(score, delta)),
    )
    expect(eco).toBeLessThanOrEqual(auto!)
    expect(auto).toBeLessThanOrEqual(premium!)
    expect(tiers[auto!]).toBe(score.tier)
  })

  test('lists its five strongest reasons, strongest first', () => {
    const reasons = scorePrompt({ text: asks[6]! }).reasons()
    expect(reasons).toHaveLength(5)
    const sizes = reasons.map(({ weight }) => Math.abs(weight))
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(reasons.map(({ text }) => text).join()).toMatch(/prove|length|step/)
  })

  test('is the same every time, whatever was scored in between', () => {
    const first = asks.map((text) => ({ ...scorePrompt({ text }), reasons: undefined }))
    for (const text of asks.toReversed()) scorePrompt({ text }).reasons()
    expect(asks.map((text) => ({ ...scorePrompt({ text }), reasons: undefined }))).toEqual(first)
  })

  test('allocates little, even for a long prompt', () => {
    const text = Buffer.from(asks.join('\n').repeat(60).slice(0, 100_000)).toString('utf8')
    for (let call = 0; call < 200; call++) scorePrompt({ text })
    const growths = Array.from({ length: 9 }, () => {
      const before = process.memoryUsage().heapUsed
      for (let call = 0; call < 50; call++) scorePrompt({ text })
      return (process.memoryUsage().heapUsed - before) / 50
    })
    // Garbage collections in between reduce the figure and other threads do not affect it, so the median is
    // what a call takes.
    growths.sort((a, b) => a - b)
    expect(growths[4]).toBeLessThan(100 * 1024)
  })
})
