import {
  converseFrame,
  errorFrame,
  eventFrame,
  exceptionFrame,
  invokeFrame,
} from '@turnpike/simulators/clouds/frames'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadEventStream } from '../../event-stream/codec.ts'
import { utf8 } from '../../sse/parser.ts'
import { InvokeEvents } from './events.ts'

const seed = Date.now() % 2 ** 31

beforeAll(loadEventStream)

interface Told {
  event: string
  data: string
  plain: boolean
}

/** The events from these pieces of a stream. */
function toldOf(...pieces: readonly Buffer[]): Told[] {
  const received: Told[] = []
  const events: InvokeEvents = new InvokeEvents({
    onEvent: (data, event) => void received.push({ event, data: utf8(data), plain: events.plain }),
  })
  for (const piece of pieces) events.pushBytes(piece)
  return received
}

const json = (body: object): Buffer => Buffer.from(JSON.stringify(body))

describe("Anthropic's events in AWS frames", () => {
  it('have their type, are on one line, and report whether they are ASCII', () => {
    const text = '{\n "type": "content_block_delta",\r\n "delta": {"text": "Grüezi"}}'
    const frame = eventFrame('chunk', json({ bytes: Buffer.from(text).toString('base64'), p: 'ab' }))
    expect(toldOf(frame, invokeFrame({ type: 'ping' }))).toEqual([
      { event: 'content_block_delta', data: text.replaceAll(/[\r\n]/gu, ' '), plain: false },
      { event: 'ping', data: '{"type":"ping"}', plain: true },
    ])
  })

  it('are the only ones, whatever else AWS sends', () => {
    expect(toldOf(converseFrame('initial-response', {}), eventFrame('later', json({ bytes: 5 })))).toEqual([])
  })

  it('fail if a frame contains none', () => {
    for (const payload of [json({}), json({ bytes: 5 }), Buffer.from('{'), Buffer.alloc(0)])
      expect(toldOf(eventFrame('chunk', payload))).toEqual([{ event: '', data: '', plain: true }])
  })

  it.each([
    [exceptionFrame('throttlingException', { message: 'Slow down.' }), 'rate_limit_error', 'Slow down.'],
    [exceptionFrame('serviceUnavailableException', {}), 'overloaded_error', /down/u],
    [exceptionFrame('modelTimeoutException', {}), 'timeout_error', /in time/u],
    [exceptionFrame('validationException', { message: 'No.' }), 'invalid_request_error', 'No.'],
    [exceptionFrame('modelStreamErrorException', { message: 'x' }), 'api_error', /upstream/u],
    [errorFrame('InternalFailure', 'x'), 'api_error', /upstream/u],
  ])("are Anthropic's errors if AWS reports an exception", (frame, type, message) => {
    const [{ event, data }] = toldOf(frame) as [Told]
    expect(event).toBe('error')
    const { error } = JSON.parse(data) as { error: { type: string; message: string } }
    expect(error.type).toBe(type)
    expect(error.message).toMatch(message)
  })

  it(`are the same wherever their frames are cut, and noise is never read as one (seed ${seed})`, () => {
    const frames = [invokeFrame({ type: 'message_start' }), invokeFrame({ type: 'ping', text: 'Grüezi' })]
    const stream = Buffer.concat(frames)
    const whole = toldOf(stream)
    for (let at = 0; at <= stream.length; at++)
      expect(toldOf(stream.subarray(0, at), stream.subarray(at))).toEqual(whole)
    fc.assert(
      fc.property(fc.nat(stream.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 }), (at, noise) => {
        const broken = Buffer.concat([stream.subarray(0, at), noise, stream.subarray(at + noise.length)])
        let events: Told[] = []
        try {
          events = toldOf(broken)
        } catch {
          // A broken frame is refused: none of its content is delivered.
          return
        }
        expect(whole.slice(0, events.length)).toEqual(events)
      }),
      { seed, numRuns: 300 },
    )
  })
})
