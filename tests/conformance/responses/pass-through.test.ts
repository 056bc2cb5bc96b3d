import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { suiteStart } from '../../nodes/suite.ts'
import { object, type Json } from '../vendors/oracle/json.ts'
import { recordedEvents } from '../vendors/oracle/recorded-events.ts'
import { startVendorNode, upstreamModel } from '../vendors/vendor-node.ts'

const recordings = allRecordings()
const cases = recordings.cases.filter(
  ({ vendor, api, status }) => vendor === 'openai' && api === 'responses' && status === 200,
)

describe("Responses to OpenAI pass the vendor's own answers", () => {
  const models = cases.map((recorded) => ({
    vendor: recorded.api,
    model: upstreamModel(recorded),
    plan: { case: recorded.id, label: recorded.id, split: { seed: 1, meanBytes: 500 } },
  }))
  const world = suiteStart(() => startVendorNode(models, recordings))

  const named = cases.map((recorded, index): [string, RecordedCase, number] => [recorded.id, recorded, index])

  async function answerTo(recorded: RecordedCase, index: number): Promise<string> {
    const response = await world.node.post(world.key, '/responses', {
      model: world.names[index],
      stream: recorded.stream,
      input: 'x',
      // The answer repeats it.
      max_output_tokens: boundIn(recorded),
    })
    expect(response.status).toBe(200)
    return response.text()
  }

  test.each(named.filter(([, { stream }]) => stream))('pass as events: %s', async (id, recorded, index) => {
    const bytes = recordings.response(id)
    const receivedLines = linesOf(await answerTo(recorded, index))
    const recordedLines = linesOf(bytes.toString('utf8'))
    // Some recordings have a second answer after the end of the first.
    const whole = recordedLines.slice(0, receivedLines.length)
    // The gateway estimates what the vendor did not count.
    const counts = !/"input_tokens":\s*0,.*"output_tokens":\s*0,/u.test(whole.at(-1)!)
    expect(receivedLines.map((one, at) => (holdsResponse(one) ? parts(one, at, counts) : one))).toEqual(
      whole.map((one, at) => (holdsResponse(one) ? parts(one, at, counts, world.names[index]) : one)),
    )
    expect(receivedLines.at(-1)).toMatch(/"cost_usd":"0(?:\.\d+)?","cost":/u)
    expect(recordedEvents(bytes).length).toBeGreaterThanOrEqual(receivedLines.length)
  })

  test.each(named.filter(([, { stream }]) => !stream))('pass as a whole: %s', async (id, recorded, index) => {
    const received = object(JSON.parse(await answerTo(recorded, index)))
    const recordedAnswer = object(JSON.parse(recordings.response(id).toString('utf8')))
    expect(received).toEqual(patched(recordedAnswer, received, world.names[index]!))
  })
})

function boundIn(recorded: RecordedCase): unknown {
  const bytes = recordings.response(recorded.id)
  const whole = recorded.stream
    ? object(recordedEvents(bytes)[0]!['response'])
    : object(JSON.parse(bytes.toString('utf8')))
  return whole['max_output_tokens']
}

/** The payloads of a stream, as written. */
function linesOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => line.slice('data: '.length))
}

function holdsResponse(line: string): boolean {
  return object(JSON.parse(line))['response'] !== undefined
}

/** The members of an event; of its response, only those that must not differ. */
function parts(line: string, at: number, isCounted: boolean, model?: string): Json {
  const event = object(JSON.parse(line))
  const { id: _id, usage, ...response } = withoutMoney(object(event['response']))
  const counted = at > 1 && usage !== null ? object(usage) : {}
  const { cost_usd: _usd, cost: _cost, ...told } = counted
  const counts = isCounted ? told : {}
  return { ...event, response: { ...response, ...(model === undefined ? {} : { model }) }, counts }
}

function patched(said: Json, told: Json, model: string): Json {
  const { cost_usd, cost } = object(told['usage'])
  const usage = { ...object(said['usage']), cost_usd, cost }
  expect(told['id']).toMatch(/^resp_req_/u)
  expect(cost_usd).toMatch(/^0\.\d+$/u)
  return { ...withoutMoney(said), id: told['id'], model, usage, metadata: told['metadata'], store: false }
}

/** Removes billing data, which is only for the operator, and what concerns storage at the vendor. */
function withoutMoney({ billing: _billing, metadata: _metadata, store: _store, ...rest }: Json): Json {
  return rest
}
