import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callers } from '../callers/callers.ts'
import { responsesCases } from '../vendors/chat-cases.ts'
import { object } from '../vendors/oracle/json.ts'
import { said } from '../vendors/oracle/oracle.ts'
import type { SaidAnswer } from '../vendors/oracle/said-answer.ts'
import { costUsd, startVendorNode, upstreamModel, type VendorNode } from '../vendors/vendor-node.ts'

const recordings = allRecordings()
const cases = responsesCases(recordings)
const seed = Number(process.env['TURNPIKE_TEST_SEED'] ?? Date.now() % 1_000_000)
const translated = callers.filter(([name]) => name !== 'openai-responses')

describe(`recorded answers of Responses, to callers of other APIs (TURNPIKE_TEST_SEED=${seed})`, () => {
  let world: VendorNode

  beforeAll(async () => {
    const models = cases.map((recorded, index) => {
      const { id } = recorded
      const meanBytes = Math.max(3, Math.ceil(recordings.response(id).length / 150))
      const plan = { case: id, split: { seed: seed + index, meanBytes }, label: id }
      return { vendor: 'responses', model: upstreamModel(recorded), plan }
    })
    world = await startVendorNode(models, recordings)
  })

  afterAll(() => world.stop())

  const named = cases.map((recorded, index): [string, RecordedCase, number] => [
    `${recorded.vendor} ${recorded.id}`,
    recorded,
    index,
  ])

  describe.each(translated)('%s', (_name, caller) => {
    test.concurrent.each(named)('%s', async (_id, recorded, index) => {
      const { stream } = recorded
      const model = world.names[index]!
      const response = await fetch(world.node.origin + caller.address(model, stream), {
        method: 'POST',
        headers: { authorization: `Bearer ${world.key.raw}`, 'content-type': 'application/json' },
        body: JSON.stringify(caller.request(model, stream)),
      })
      const text = await response.text()
      const expected = said(recordings, recorded)
      if (expected.kind === 'failed') return expect(response.status).toBe(expected.failure.status)
      if (expected.kind === 'broken') throw new Error(`${recorded.id} is no answer`)
      const { answer } = expected
      const told = stream ? streamed(caller.readStream(text)) : caller.readWhole(object(JSON.parse(text)))
      caller.expectTold(told, answer, recorded)
      if (answer.usage !== undefined) expect(text).toContain(`"cost_usd":"${costUsd(answer.usage)}"`)
    })
  })

  test('the books balance', async () => {
    expect(await world.node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })
})

function streamed({
  answer,
  ended,
  error,
}: ReturnType<(typeof callers)[number][1]['readStream']>): SaidAnswer {
  expect({ ended, error }).toEqual({ ended: true, error: undefined })
  return answer
}
