import { expect, test } from 'vitest'
import { newStep, turnsOf, waitsForResults, type Round, type Step } from './conversation.ts'
import { withChunk, type Chunk } from './with-chunk.ts'

const put = (chunks: Chunk[]): Step =>
  chunks.reduce((step, chunk, index) => withChunk(step, chunk, index * 10), newStep('m'))

const call = (index: number, piece: object): Chunk => ({
  choices: [{ delta: { tool_calls: [{ index, ...piece }] } }],
})

test('withChunk assembles an answer from its chunks', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost_usd: '0.5', cost: 0.5 }
  const step = put([
    { choices: [{ delta: { content: '' } }] },
    { choices: [{ delta: { reasoning_content: 'Hm' } }] },
    { choices: [{ delta: { content: 'Hel' } }] },
    { choices: [{ delta: { content: 'lo', refusal: null }, finish_reason: 'length' }] },
    { choices: [], usage: usage as never },
  ])
  expect(step).toMatchObject({ text: 'Hello', reasoning: 'Hm' })
  expect(step.facts).toMatchObject({ firstTokenMs: 10, finish: 'length', costUsd: '0.5', tokensOut: 2 })
})

test('withChunk assembles several tool calls from their pieces', () => {
  const step = put([
    call(0, { id: 'a', function: { name: 'one', arguments: '{"x"' } }),
    call(1, { id: 'b', function: { name: 'two', arguments: '' } }),
    call(0, { function: { arguments: ':1}' } }),
    call(1, { function: { arguments: '{}' } }),
  ])
  expect(step.toolCalls).toEqual([
    { id: 'a', name: 'one', arguments: '{"x":1}' },
    { id: 'b', name: 'two', arguments: '{}' },
  ])
})

test('withChunk ignores tool calls with an impossible index', () => {
  for (const index of [-1, 5, 1e9, 0.5, Number.NaN]) expect(put([call(index, {})]).toolCalls).toEqual([])
})

test('withChunk joins reasoning details with the same index, and keeps those without one apart', () => {
  const detail = (one: object): Chunk => ({
    choices: [{ delta: { reasoning_details: [{ type: 'reasoning.text', ...one }] } }],
  })
  const { reasoningDetails } = put([
    detail({ index: 0, text: 'a' }),
    detail({ index: 0, text: 'b' }),
    detail({ index: 0, signature: 's' }),
    detail({ index: 1, text: 'c' }),
    detail({ text: 'd' }),
    detail({ text: 'e' }),
  ])
  expect(reasoningDetails.map(({ type: _type, ...rest }) => rest)).toEqual([
    { index: 0, text: 'ab', signature: 's' },
    { index: 1, text: 'c' },
    { text: 'd' },
    { text: 'e' },
  ])
})

test('turnsOf leaves out tool calls that have no result', () => {
  const done = (changes: Partial<Step>): Step => {
    const step = newStep('m')
    return { ...step, facts: { ...step.facts, state: 'done' }, ...changes }
  }
  const calls = [{ id: 'a', name: 'one', arguments: '{}' }]
  const rounds: Round[] = [
    {
      question: { text: 'q1', attachments: [] },
      answers: [
        [done({ toolCalls: calls, results: { a: 'r' } }), done({ text: 'x' })],
        [done({ text: 'y', toolCalls: calls })],
      ],
    },
    { question: { text: 'q2', attachments: [] }, answers: [[], []] },
  ]
  expect(turnsOf(rounds, 0).map(({ role, text }) => [role, text])).toEqual([
    ['user', 'q1'],
    ['assistant', ''],
    ['tool', 'r'],
    ['assistant', 'x'],
    ['user', 'q2'],
  ])
  expect(turnsOf(rounds, 1).map(({ role, text }) => [role, text])).toEqual([
    ['user', 'q1'],
    ['assistant', 'y'],
    ['user', 'q2'],
  ])
  // A place without an answer continues from the answers of the first one.
  expect(turnsOf(rounds.slice(0, 1), 2)).toEqual(turnsOf(rounds.slice(0, 1), 0))
  expect(waitsForResults(done({ toolCalls: calls }))).toBe(true)
  expect(waitsForResults(done({ toolCalls: calls, results: { a: '' } }))).toBe(false)
})
