import { describe, expect, it } from 'vitest'
import type { Tier } from '../tier.ts'
import { Calibrator } from './calibrator.ts'
import { OpenAnswers, type FollowUp, type OpenAnswer } from './open-answers.ts'

/** Records every call. */
class Noted extends Calibrator {
  readonly outcomes: string[] = []

  override note(accountId: string, tier: Tier, _predicted: number, sufficed: boolean): void {
    this.outcomes.push(`${accountId} ${tier} ${sufficed ? 'sufficed' : 'did not'}`)
  }
}

function opened(...answers: Partial<OpenAnswer>[]): { open: OpenAnswers; noted: Noted } {
  const noted = new Noted()
  const open = new OpenAnswers(noted, 3)
  for (const answer of answers) open.open({ ...first, ...answer })
  return { open, noted }
}

const first: OpenAnswer = {
  requestId: 'req_1',
  accountId: 'a',
  conversation: 'one',
  tier: 'SIMPLE',
  predicted: 0.9,
  asks: 1,
  answeredAtMs: 0,
}
const next: FollowUp = {
  accountId: 'a',
  conversation: 'one',
  retryOf: undefined,
  stalled: false,
  asks: 2,
  nowMs: 1_000,
}

function outcomes(followUp: Partial<FollowUp>, answer: Partial<OpenAnswer> = {}): string[] {
  const { open, noted } = opened(answer)
  open.recordFollowUp({ ...next, ...followUp })
  return noted.outcomes
}

describe('the outcome of an answer', () => {
  it.each<[string, Partial<FollowUp>, string[]]>([
    ['the user continues', {}, ['a SIMPLE sufficed']],
    ['a tool responds', { asks: 1 }, []],
    ['the user repeats the message', { asks: 1 }, []],
    ['it stalled', { asks: 1, stalled: true }, ['a SIMPLE did not']],
    ['it is sent back', { asks: 1, retryOf: 'req_1' }, ['a SIMPLE did not']],
    [
      'it is sent back from another conversation',
      { conversation: 'two', retryOf: 'req_1' },
      ['a SIMPLE did not'],
    ],
    ['another account sends it back', { accountId: 'b', conversation: 'two', retryOf: 'req_1' }, []],
    ['an unknown answer is sent back', { retryOf: 'req_7' }, []],
    ['another conversation continues', { conversation: 'two' }, []],
  ])('%s: %j', (_, followUp, expected) => {
    expect(outcomes(followUp)).toEqual(expected)
  })

  it('is noted once, however often the answer is sent back', () => {
    const { open, noted } = opened({})
    for (let time = 0; time < 5; time++) open.recordFollowUp({ ...next, retryOf: 'req_1' })
    expect(noted.outcomes).toHaveLength(1)
  })

  it('is noted once for all answers to one user message', () => {
    const { open, noted } = opened({}, { requestId: 'req_2', tier: 'MEDIUM' })
    open.recordFollowUp(next)
    expect([noted.outcomes, open.size]).toEqual([['a MEDIUM sufficed'], 0])
  })
})

describe('silence', () => {
  const late = { conversation: 'three', nowMs: 15 * 60_000 }

  it('means nothing from an account that never sends answers back', () => {
    const { open, noted } = opened({})
    open.recordFollowUp({ ...next, ...late })
    expect([noted.outcomes, open.size]).toEqual([[], 0])
  })

  it('means that an answer sufficed, from an account that does', () => {
    const { open, noted } = opened({}, { requestId: 'req_2', conversation: 'two' })
    open.recordFollowUp({ ...next, retryOf: 'req_2' })
    open.recordFollowUp({ ...next, ...late, nowMs: late.nowMs - 1 })
    expect(noted.outcomes).toEqual(['a SIMPLE did not'])
    open.recordFollowUp({ ...next, ...late, accountId: 'b' })
    expect(noted.outcomes).toEqual(['a SIMPLE did not', 'a SIMPLE sufficed'])
  })
})

it('drops the oldest answers if there are too many', () => {
  const { open, noted } = opened(
    ...[1, 2, 3, 4].map((number) => ({ requestId: `req_${number}`, conversation: `${number}` })),
  )
  expect(open.size).toBe(3)
  open.recordFollowUp({ ...next, retryOf: 'req_1' })
  open.recordFollowUp({ ...next, retryOf: 'req_2' })
  expect(noted.outcomes).toHaveLength(1)
})
