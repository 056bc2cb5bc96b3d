import { APIError } from 'openai'
import { allRecordings } from '@turnpike/simulators'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { afterAll, describe, expect, test } from 'vitest'
import { listeningClient } from '../recorded-node.ts'
import { expectCalledRight, expectSameRequest } from './called-right.ts'
import { CaseTable } from './case-table.ts'
import { asksForStream, chatCases, groupOf } from './chat-cases.ts'
import { said } from './oracle/oracle.ts'
import type { SaidAnswer, SaidFailure, SaidUsage } from './oracle/said-answer.ts'
import { object, text, type Json } from './oracle/json.ts'
import { recordedRequest } from './recorded-request.ts'
import { expectTold } from './told-as-said.ts'
import { toldAnswer, toldChunks } from './told-answer.ts'
import { namedCases, replaySeed, suiteReplay } from './replayed-cases.ts'
import { costUsd } from './vendor-node.ts'
import { testBooks } from '../../nodes/suite.ts'

const recordings = allRecordings()
const schemas = openaiSchemas()
const cases = chatCases(recordings)
const table = new CaseTable('Recorded answers replayed, vendor × cases', [
  'plain',
  'streamed',
  'broken',
  'refused',
])

describe(`every vendor's recorded answers (TURNPIKE_TEST_SEED=${replaySeed})`, () => {
  const world = suiteReplay(recordings, cases)
  afterAll(() => console.log(table.toString()))

  test.runIf(recordings.areReal)('include all cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(290)
  })

  test.concurrent.each(namedCases(cases))('%s', async (_id, recorded, index) => {
    const expected = said(recordings, recorded)
    const stream = asksForStream(recorded)
    const request = recordedRequest(recordings, recorded, world.names[index]!)
    if (expected.kind === 'failed') {
      await expectRefused(request, expected.failure)
      table.count(groupOf(recorded), 'refused')
    } else if (expected.kind === 'broken') {
      await expectBroken(request, expected.answer, expected.message)
      table.count(groupOf(recorded), 'broken')
    } else {
      const bodies = stream ? await streamed(request) : await plain(request)
      expectTold(toldAnswer(bodies), expected.answer, recorded)
      expectCharged(bodies, expected.answer.usage)
      table.count(groupOf(recorded), stream ? 'streamed' : 'plain')
    }
    const [entry, ...more] = world.vendor.journal.findByLabel(recorded.id)
    expect(more).toEqual([])
    expectCalledRight(entry!, recorded, stream)
    if (recorded.api === 'chat') expectSameRequest(entry!, request, recorded)
  })

  testBooks(world)

  async function plain(request: Json): Promise<Json[]> {
    const { client, text: body } = listeningClient(world.node, world.key)
    const answer = (await client.chat.completions.create(request as never)) as unknown as Json
    expect(schemas?.faultsOfCompletion(JSON.parse(await body())) ?? []).toEqual([])
    return [answer]
  }

  async function streamed(request: Json): Promise<Json[]> {
    const { client, text: body } = listeningClient(world.node, world.key)
    const stream = await client.chat.completions.create(request as never)
    const chunks: Json[] = []
    for await (const chunk of stream as unknown as AsyncIterable<Json>) chunks.push(chunk)
    for (const chunk of chunks) expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([])
    const raw = toldChunks(await body())
    expect(raw.done).toBe(true)
    expect(raw.chunks).toEqual(chunks)
    return chunks
  }

  /** Expects that each token is charged once at its price, and that estimated usage costs something. */
  function expectCharged(bodies: readonly Json[], usage: SaidUsage | undefined): void {
    const reportedUsage = object(bodies.findLast((body) => body['usage'] !== null)!['usage'])
    if (usage === undefined) expect(reportedUsage['cost_usd']).toMatch(/^0\.\d+$/u)
    else expect(reportedUsage['cost_usd']).toBe(costUsd(usage))
  }

  async function expectRefused(request: Json, failure: SaidFailure): Promise<void> {
    const { client } = listeningClient(world.node, world.key)
    const error: unknown = await client.chat.completions
      .create(request as never)
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof APIError)) throw new Error('the SDK threw no APIError')
    const { message, type, code } = error.error as Json
    expect({ status: error.status, type, code }).toEqual({
      status: failure.status,
      type: failure.type,
      code: failure.status,
    })
    if (failure.message !== undefined) expect(message).toBe(failure.message)
    if (failure.retryAfterSeconds !== undefined)
      expect(error.headers?.get('retry-after')).toBe(String(failure.retryAfterSeconds))
  }

  /** Expects everything before the error, then the error, and no end. */
  async function expectBroken(request: Json, answer: SaidAnswer, message?: string): Promise<void> {
    const response = await world.node.chat(world.key, request)
    const { chunks, done } = toldChunks(await response.text())
    expect(done).toBe(false)
    const last = chunks.pop()!
    expect(last).toMatchObject({ choices: [{ finish_reason: 'error' }] })
    const errorMessage = text(object(last['error'])['message'])
    if (message === undefined) expect(errorMessage).toMatch(/./u)
    else expect(errorMessage).toBe(message)
    expect(toldAnswer(chunks).choices[0]).toEqual({ ...answer.choices[0], finish: undefined })
  }
})
