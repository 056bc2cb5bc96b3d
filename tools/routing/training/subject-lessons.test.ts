import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { subjectDimensions } from '@turnpike/routing/scoring/subjects'
import { datasetOf } from './dataset.ts'
import type { Row } from './rows.ts'
import { subjectLessonsOf } from './subject-lessons.ts'

function rowsOf(source: string, domain: string, words: string, weak: number, strong: number): Row[] {
  return Array.from({ length: 12 }, (_, index) => {
    const prompt = `${words}, the ${index}th`
    const labels = { 'mixtral-8x7b-instruct-v0.1': weak, 'gpt-4-1106-preview': strong }
    const key = createHash('sha256').update(prompt).digest('hex').slice(0, 12)
    const unknown = { tier: undefined, language: undefined, contaminated: false }
    return { source, id: prompt, prompt, key, labels, domain, ...unknown }
  })
}

const rows = [
  ...rowsOf('routellm-mmlu', 'law', 'Whether the court upholds the appeal', 0, 1),
  ...rowsOf('routellm-mmlu', 'marketing', 'Whether the brand attracts its buyers', 1, 1),
  ...rowsOf('routellm-gsm8k', 'sums', 'Whether nine apples cost nine coins', 1, 0),
  ...rowsOf('routellm-mtbench', 'writing', 'Whether the essay reads well', 4, 9),
]

function lessonsWithout(domain: string): ReturnType<typeof subjectLessonsOf> {
  const data = datasetOf(rows)
  return subjectLessonsOf(data, (row) => row.domain !== domain, new Float32Array(data.hashes.length).fill(1))
}

test("a subject's worth is relative to its benchmark's mean, and ignores ratings", () => {
  expect([...lessonsWithout('').subjects.worths]).toEqual([0.5, -0.5, 0])
})

test('the targets of prompts are the position of their subject, at a distance of 1', () => {
  const { targets, weights, subjects } = lessonsWithout('')
  const at = (from: Float32Array, index: number): number[] => [
    ...from.subarray(index * subjectDimensions, (index + 1) * subjectDimensions),
  ]
  for (const [subject, first] of [0, 12, 24].entries()) {
    expect(Math.hypot(...at(subjects.points, subject))).toBeCloseTo(1, 5)
    expect(at(targets, first)).toEqual(at(subjects.points, subject))
    expect(at(weights, first)).toEqual(Array.from({ length: subjectDimensions }, () => 1))
  }
  expect(at(weights, 36)).toEqual(Array.from({ length: subjectDimensions }, () => 0))
})

test('rows that are held out teach nothing', () => {
  const { weights, subjects } = lessonsWithout('law')
  expect([...subjects.worths]).toEqual([0, 0])
  expect(Math.max(...weights.subarray(0, 12 * subjectDimensions))).toBe(0)
})
