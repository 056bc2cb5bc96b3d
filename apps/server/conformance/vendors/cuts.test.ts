import { recordingsBesideCheckout, type RecordedCase } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CaseTable } from './case-table.ts'
import { chatCases, groupOf } from './chat-cases.ts'
import { object } from './oracle/json.ts'
import { recordedRequest } from './recorded-request.ts'
import { toldChunks } from './told-answer.ts'
import { startVendorNode, upstreamModel, type VendorNode } from './vendor-node.ts'

/** An upstream that closes in the middle, cleanly as far as HTTP knows, must never look like an answer. */

const parts = [0.2, 0.5, 0.9]
const recordings = recordingsBesideCheckout()
const cases = recordings === undefined ? [] : chatCases(recordings).filter((one) => one.stream)
const cuts = cases.flatMap((recorded) => parts.map((part) => ({ recorded, part })))
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
    const models = cuts.map(({ recorded, part }) => ({
      vendor: recorded.vendor,
      model: upstreamModel(recorded),
      plan: { case: recorded.id, fault: { kind: 'close' as const, at: part } },
    }))
    world = await startVendorNode(models, recordings)
  })

  afterAll(async () => {
    await world.stop()
    console.log(table.toString())
  })

  const named = cuts.map(({ recorded, part }, index): [string, number, RecordedCase, number] => [
    `${recorded.vendor} ${recorded.id}`,
    part * 100,
    recorded,
    index,
  ])

  test.concurrent.each(named)('%s at %d %%', async (_id, percent, recorded, index) => {
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
    if (isWhole(recorded, percent / 100)) {
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
