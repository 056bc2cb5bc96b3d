import { recordingsBesideCheckout, type Fault, type RecordedCase } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CaseTable } from './case-table.ts'
import { chatCases, groupOf } from './chat-cases.ts'
import { object } from './oracle/json.ts'
import { recordedRequest } from './recorded-request.ts'
import { toldChunks } from './told-answer.ts'
import { startVendorNode, upstreamModel, type VendorNode } from './vendor-node.ts'

/** An upstream that breaks off in the middle must never look like an answer. */

const faults: Fault[] = [
  // Cleanly, as far as HTTP knows.
  ...[0.2, 0.5, 0.9].map((at) => ({ kind: 'close' as const, at })),
  { kind: 'reset', at: 0.5 },
]
const recordings = recordingsBesideCheckout()
const cases = recordings === undefined ? [] : chatCases(recordings).filter((one) => one.stream)
const cuts = cases.flatMap((recorded) => faults.map((fault) => ({ recorded, fault })))
const table = new CaseTable('Recorded streams cut, vendor × how the caller learns of it', [
  'error event',
  'HTTP error',
  'whole',
])

test.runIf(recordings === undefined)('the recordings are absent', () => {
  console.log('skipped: ../shared/recordings is not beside the checkout')
})

describe.runIf(recordings !== undefined)('streams of every vendor, cut', () => {
  let world: VendorNode

  beforeAll(async () => {
    const models = cuts.map(({ recorded, fault }) => ({
      vendor: recorded.vendor,
      model: upstreamModel(recorded),
      plan: { case: recorded.id, fault },
    }))
    world = await startVendorNode(models, recordings)
  })

  afterAll(async () => {
    await world.stop()
    console.log(table.toString())
  })

  const named = cuts.map(({ recorded, fault }, index): [string, RecordedCase, Fault, number] => [
    `${recorded.vendor} ${recorded.id}: ${fault.kind} at ${Number(fault.at) * 100} %`,
    recorded,
    fault,
    index,
  ])

  test.concurrent.each(named)('%s', async (_id, recorded, fault, index) => {
    const request = recordedRequest(recordings!, recorded, world.names[index]!)
    const response = await world.node.chat(world.key, request)
    const body = await response.text()
    if (response.status !== 200) {
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(object(JSON.parse(body))).toMatchObject({ error: { code: response.status } })
      table.count(groupOf(recorded), 'HTTP error')
      return
    }
    const { chunks, done } = toldChunks(body)
    if (isWhole(recorded, Number(fault.at))) {
      expect(done).toBe(true)
      table.count(groupOf(recorded), 'whole')
      return
    }
    expect(done).toBe(false)
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'error' }],
      error: { message: expect.stringMatching(/./u) as string },
    })
    for (const chunk of chunks.slice(0, -1)) expect(chunk).not.toHaveProperty('error')
    expect(body.endsWith('\n\n')).toBe(true)
    table.count(groupOf(recorded), 'error event')
  })
})

/** Two recordings hold several of Anthropic's messages one after the other: a cut may be behind the first. */
function isWhole({ id, api }: RecordedCase, part: number): boolean {
  const bytes = recordings!.response(id)
  return api === 'messages' && bytes.subarray(0, Math.floor(bytes.length * part)).includes('"message_stop"}')
}
