import { allRecordings } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { callers } from '../callers/callers.ts'
import { responsesCases } from '../vendors/chat-cases.ts'
import { object } from '../vendors/oracle/json.ts'
import { said } from '../vendors/oracle/oracle.ts'
import type { SaidAnswer } from '../vendors/oracle/said-answer.ts'
import { namedCases, replaySeed, suiteReplay } from '../vendors/replayed-cases.ts'
import { costUsd } from '../vendors/vendor-node.ts'
import { testBooks } from '../../nodes/suite.ts'

const recordings = allRecordings()
const cases = responsesCases(recordings)
const translated = callers.filter(([name]) => name !== 'openai-responses')

describe(`recorded answers of Responses, to callers of other APIs (TURNPIKE_TEST_SEED=${replaySeed})`, () => {
  const world = suiteReplay(recordings, cases, () => 'responses')

  describe.each(translated)('%s', (_name, caller) => {
    test.concurrent.each(namedCases(cases))('%s', async (_id, recorded, index) => {
      const { stream } = recorded
      const model = world.names[index]!
      const response = await world.node.postTo(
        world.key,
        caller.address(model, stream),
        caller.request(model, stream),
      )
      const text = await response.text()
      const expected = said(recordings, recorded)
      if (expected.kind === 'failed') return expect(response.status).toBe(expected.failure.status)
      if (expected.kind === 'broken') throw new Error(`${recorded.id} is no answer`)
      const { answer } = expected
      const received = stream ? streamed(caller.readStream(text)) : caller.readWhole(object(JSON.parse(text)))
      caller.expectTold(received, answer, recorded)
      if (answer.usage !== undefined) expect(text).toContain(`"cost_usd":"${costUsd(answer.usage)}"`)
    })
  })

  testBooks(world)
})

function streamed({
  answer,
  ended,
  error,
}: ReturnType<(typeof callers)[number][1]['readStream']>): SaidAnswer {
  expect({ ended, error }).toEqual({ ended: true, error: undefined })
  return answer
}
