import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'
import { describe, expect, test } from 'vitest'
import { headCount } from '@turnpike/routing/scoring/heads'
import { createScorer } from '@turnpike/routing/scoring/scorer'
import { decodeWeights } from '@turnpike/routing/scoring/weights'
import { datasetOf } from './dataset.ts'
import { lessonsOf } from './lessons.ts'
import { successByTier } from './model-tiers.ts'
import { benchmarkOf, foldOf, readRows, type Row } from './rows.ts'
import { syntheticAsks } from './synthetic-asks.ts'
import { train } from './train.ts'

const folder = besideCheckout('routingData')

function row(source: string, prompt: string, known: Partial<Row>): Row {
  const key = createHash('sha256').update(prompt).digest('hex').slice(0, 12)
  const nothing = { labels: {}, tier: undefined, language: undefined, domain: undefined, contaminated: false }
  return { source, id: prompt, prompt, key, ...nothing, ...known }
}

/** Sums that all models can do, and riddles that only the strongest can. */
function madeRows(): Row[] {
  return Array.from({ length: 60 }, (_, index) => {
    const weak = index % 2
    const labels = { 'mixtral-8x7b-instruct-v0.1': weak, 'gpt-4-1106-preview': 1 }
    const prompt =
      weak === 1 ? `Add ${index} apples to ${index + 3} pears` : `Unravel riddle ${index} of the sphinx`
    return row('routellm-mmlu', prompt, { labels })
  })
}

describe('training', () => {
  const data = datasetOf([...madeRows(), ...syntheticAsks()])

  test('gives the same bytes from the same rows', () => {
    expect(train(data, () => true)).toEqual(train(data, () => true))
  })

  test('learns from the given rows, and from nothing else', () => {
    const score = createScorer(decodeWeights(train(data, () => true)))
    expect(score('Unravel riddle 77 of the sphinx').score).toBeGreaterThan(
      score('Add 77 apples to 80 pears').score,
    )
    const lessons = lessonsOf(data, ({ source }) => source !== 'routellm-mmlu')
    const taught = data.rows.filter((_, index) => lessons.weights[index * headCount]! > 0)
    expect(taught.some(({ source }) => source === 'routellm-mmlu')).toBe(false)
  })
})

test('computes success by tier, and ignores grades', () => {
  expect(successByTier({ 'claude-3-opus-20240229': 1, 'gpt-4-1106-preview': 0, 'unheard-of': 0 })).toEqual([
    undefined,
    undefined,
    0.5,
    undefined,
  ])
  expect(successByTier({ 'gpt-4-1106-preview': 9 })[2]).toBeUndefined()
})

test('synthetic requests are the same every time', () => {
  expect(syntheticAsks()).toEqual(syntheticAsks())
})

test.skipIf(folder === undefined)(
  'reads every file of the data, and puts a question into one fold in all its languages',
  () => {
    const rows = readRows(folder!)
    expect(new Set(rows.map(({ source }) => source)).size).toBe(readdirSync(folder!).length)
    const translations = rows.filter(({ source }) => source === 'mgsm-translated')
    const english = new Set(rows.filter(({ source }) => source === 'zeroeval-gsm').map(({ key }) => key))
    expect(translations.every(({ key }) => english.has(key))).toBe(true)
    expect(rows.every(({ key }) => foldOf(key, 10) >= 0 && foldOf(key, 10) < 10)).toBe(true)
    expect(new Set(translations.map(benchmarkOf))).toEqual(new Set(['gsm8k']))
  },
)
