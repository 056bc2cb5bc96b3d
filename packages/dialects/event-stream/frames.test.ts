import { EventStreamCodec, type Message } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { decodeFrame, loadEventStream } from './codec.ts'
import { BrokenFrame, FrameCutter, maxFrameBytes } from './frames.ts'

/*
 * Vectors from https://github.com/smithy-lang/smithy-typescript, packages/eventstream-codec/test_vectors at
 * 6815d3e9 (Apache-2.0): valid frames, and frames with one byte changed.
 */
const good = {
  'all types':
    '000000cc000000af0fae64ca0a6576656e742d74797065040000a00c0c636f6e74656e742d747970650700106170706c' +
    '69636174696f6e2f6a736f6e0a626f6f6c2066616c73650109626f6f6c207472756500046279746502cf086279746520' +
    '62756606001449276d2061206c6974746c6520746561706f74210974696d657374616d70080000000000845fed05696e' +
    '74313603002a05696e7436340500000000028757b20475756964090102030405060708090a0b0c0d0e0f107b27666f6f' +
    '273a27626172277daba5f10c',
  'nothing at all': '000000100000000005c248eb7d98c8ff',
  'a header with a number':
    '0000002d0000001041c424b80a6576656e742d74797065040000a00c7b27666f6f273a27626172277d36f480a0',
  'a payload alone': '0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936',
  'a header with a text':
    '0000003d0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a' +
    '27626172277d8d9c08b1',
}
const bad = {
  'the length of the headers':
    '0000003d0000002107fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a' +
    '27626172277d8d9c08b1',
  'the headers':
    '0000003d0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b61666f6f273a' +
    '27626172277d8d9c08b1',
  'the length':
    '0000003e0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a' +
    '27626172277d8d9c08b1',
  'the payload': '0000001d00000000fd528c5a5b27666f6f273a27626172277dc3653936',
}

beforeAll(loadEventStream)

/** The frames from these pieces, as hexadecimal digits. */
function cut(pieces: readonly Buffer[]): { frames: string[]; isWithinFrame: boolean } {
  const frames: string[] = []
  const cutter = new FrameCutter((frame) => frames.push(frame.toString('hex')))
  for (const piece of pieces) cutter.push(piece)
  return { frames, isWithinFrame: cutter.isWithinFrame }
}

const read = (bytes: Buffer): void => {
  const cutter = new FrameCutter((frame) => void decodeFrame(frame))
  cutter.push(bytes)
  if (cutter.isWithinFrame) throw new BrokenFrame('it is cut')
}

describe('AWS frames', () => {
  it.each(Object.entries(good))('are read: %s', (_name, hex) => {
    expect(() => read(Buffer.from(hex, 'hex'))).not.toThrow()
  })

  it('contain what the vectors say', () => {
    const { headers, body } = decodeFrame(Buffer.from(good['all types'], 'hex'))
    expect(Buffer.from(body).toString()).toBe("{'foo':'bar'}")
    expect(headers).toMatchObject({
      'event-type': { type: 'integer', value: 40_972 },
      'content-type': { type: 'string', value: 'application/json' },
      'bool false': { type: 'boolean', value: false },
      byte: { type: 'byte', value: -49 },
    })
  })

  it.each(Object.entries(bad))('are refused if a byte is changed in %s', (_name, hex) => {
    expect(() => read(Buffer.from(hex, 'hex'))).toThrow(Error)
  })

  it.each(Object.entries(good))('are refused if any bit is flipped: %s', (_name, hex) => {
    const bytes = Buffer.from(hex, 'hex')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const turned = Buffer.from(bytes)
      turned[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => read(turned), `bit ${bit}`).toThrow(Error)
    }
  })

  it('are the same wherever the stream is cut', () => {
    const hexes = Object.values(good)
    const stream = Buffer.from(hexes.join(''), 'hex')
    for (let at = 0; at <= stream.length; at++)
      expect(cut([stream.subarray(0, at), stream.subarray(at)]).frames).toEqual(hexes)
    const bytes = Array.from(stream, (byte) => Buffer.from([byte]))
    expect(cut(bytes)).toEqual({ frames: hexes, isWithinFrame: false })
    expect(cut([stream.subarray(0, -1)]).isWithinFrame).toBe(true)
  })

  it('are refused as soon as their length has arrived', () => {
    const tooLarge = new EventStreamCodec(String, (text) => Buffer.from(text))
    const body = Buffer.alloc(maxFrameBytes - 15)
    const head = Buffer.from(tooLarge.encode({ headers: {}, body })).subarray(0, 12)
    expect(() => cut([head])).toThrow(BrokenFrame)
    expect(() => cut([Buffer.from('HTTP/1.1 200 OK\r\n')])).toThrow(BrokenFrame)
    expect(() => cut([Buffer.alloc(12)])).toThrow(BrokenFrame)
  })

  it('are joined once, in however many pieces they arrive', () => {
    const codec = new EventStreamCodec(String, (text) => Buffer.from(text))
    const frame = Buffer.from(codec.encode({ headers: {}, body: Buffer.alloc(256 * 1024, 'x') }))
    const pieces = Array.from(frame, (byte) => Buffer.from([byte]))
    expect(cut(pieces).frames).toEqual([frame.toString('hex')])
  })

  const codec = new EventStreamCodec(
    (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
    (text) => Buffer.from(text, 'utf8'),
  )
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const anyMessage = fc.record({
    headers: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name !== '__proto__'),
      fc.oneof(
        text.map((value) => ({ type: 'string' as const, value })),
        fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
        fc.integer().map((value) => ({ type: 'integer' as const, value })),
      ),
    ),
    body: fc.uint8Array({ maxLength: 2_000 }),
  })
  const anyMessages = fc.array(anyMessage, { maxLength: 8 })
  holdsForAll(
    'are read as AWS’s own encoder wrote them',
    [anyMessages, fc.array(fc.nat(400))],
    (messages, lengths) => {
      const stream = Buffer.concat(messages.map((message) => codec.encode(message as Message)))
      const pieces: Buffer[] = []
      let at = 0
      for (const length of lengths) pieces.push(stream.subarray(at, (at += length)))
      pieces.push(stream.subarray(at))
      const frames: unknown[] = []
      const cutter = new FrameCutter((frame) => {
        const { headers, body } = decodeFrame(frame)
        frames.push({ headers: { ...headers }, body: Buffer.from(body).toString('hex') })
      })
      for (const piece of pieces) cutter.push(piece)
      expect(frames).toEqual(
        messages.map(({ headers, body }) => ({
          headers: { ...headers },
          body: Buffer.from(body).toString('hex'),
        })),
      )
    },
    200,
  )
})
