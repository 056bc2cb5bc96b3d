import { allRecordings, type Fault, type RecordedCase } from '@turnpike/simulators'
import { afterAll, describe, expect, test } from 'vitest'
import { suiteStart } from '../../nodes/suite.ts'
import { CaseTable } from '../vendors/case-table.ts'
import { groupOf, providerOf, streamCases } from '../vendors/chat-cases.ts'
import { object } from '../vendors/oracle/json.ts'
import { callers } from './callers.ts'
import { startVendorNode, upstreamModel } from '../vendors/vendor-node.ts'

/** An upstream that breaks off in the middle must never look like a complete answer. */

const faults: Fault[] = [
  // For HTTP, it ends cleanly.
  ...[0.2, 0.5, 0.9].map((at) => ({ kind: 'close' as const, at })),
  { kind: 'reset', at: 0.5 },
]
const recordings = allRecordings()
const cases = streamCases(recordings)
const cuts = cases.flatMap((recorded) => faults.map((fault) => ({ recorded, fault })))
const table = new CaseTable('Recorded streams cut, vendor × how the caller learns of it', [
  'error event',
  'HTTP error',
  'whole',
])

describe.each(callers)('streams of every vendor, cut, as %s', (name, caller) => {
  const models = cuts.map(({ recorded, fault }) => ({
    vendor: providerOf(recorded),
    model: upstreamModel(recorded),
    plan: { case: recorded.id, fault },
  }))
  const world = suiteStart(() => startVendorNode(models, recordings))
  afterAll(() => console.log(table.toString()))

  const named = cuts.map(({ recorded, fault }, index): [string, RecordedCase, Fault, number] => [
    `${recorded.vendor} ${recorded.id}: ${fault.kind} at ${Number(fault.at) * 100} %`,
    recorded,
    fault,
    index,
  ])

  test.concurrent.each(named)('%s', async (_id, recorded, fault, index) => {
    const response = await world.node.postTo(
      world.key,
      caller.address(world.names[index]!, true),
      caller.request(world.names[index]!, true),
    )
    const body = await response.text()
    const row = `${groupOf(recorded)} as ${name}`
    if (response.status !== 200) {
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(caller.readError(object(JSON.parse(body)))).toMatch(/./u)
      return table.count(row, 'HTTP error')
    }
    const stream = caller.readStream(body)
    if (isWhole(recorded, Number(fault.at))) {
      expect(stream).toMatchObject({ ended: true, error: undefined })
      return table.count(row, 'whole')
    }
    expect(stream).toMatchObject({ ended: false, error: expect.stringMatching(/./u) as string })
    expect(body).toMatch(caller.streamEnd ?? /\n\r?\n$/u)
    table.count(row, 'error event')
  })
})

/** Two recordings contain several of Anthropic's messages, so a cut may be after the first message. */
function isWhole({ id, api }: RecordedCase, part: number): boolean {
  const bytes = recordings.response(id)
  return api === 'messages' && bytes.subarray(0, Math.floor(bytes.length * part)).includes('"message_stop"}')
}
