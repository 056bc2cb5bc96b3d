import { fold, type ModelResponse, type StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import type { BridgeListener, StreamBridge } from '../bridge.ts'
import { bridged } from './bridged.ts'

/** A format under test. Chunks are the parsed events of one streamed answer. */
export interface CallerFormatUnderTest {
  name: string
  /** All parts of a streamed answer. `ended`: its end marker came before the upstream closed. */
  decode(chunks: readonly unknown[], ended: boolean): StreamPart[]
  /** The chunks for these parts, usage included. */
  encode(parts: readonly StreamPart[]): unknown[]
  /** A whole answer, decoded and formatted again. */
  decodeWhole(body: unknown): StreamPart[]
  formatWhole(response: ModelResponse): unknown
  /** A bridge to the same format. */
  bridge(listener: BridgeListener): StreamBridge
  /** Chunks as the format writes them on the wire, including its end marker. */
  frame(chunks: readonly unknown[]): string
  samples: Sample[]
  /** A chunk with which a vendor reports an error in the middle of an answer. */
  errorChunk: unknown
}

export interface Sample {
  name: string
  chunks: unknown[]
  /** The equivalent whole answer. */
  whole: unknown
}

/** What every caller format must fulfil (ARCHITECTURE.md, "A format's folder"). */
export function callerContract(format: CallerFormatUnderTest): void {
  describe(`the format ${format.name}`, () => {
    describe.each(format.samples)('$name', (sample) => {
      wholeAndStreamed(format, sample)
      brokenStreams(format, sample)
      it('is the same wherever its bytes are cut', () => {
        const bytes = Buffer.from(format.frame(sample.chunks))
        const expected = bridge(format, [bytes])
        expect(expected).toMatchObject({ error: undefined })
        for (let cut = 1; cut < bytes.length; cut++) {
          expect(bridge(format, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
        }
      })
    })
  })
}

function wholeAndStreamed(format: CallerFormatUnderTest, { chunks, whole }: Sample): void {
  it('is unchanged after decoding, encoding and decoding again', () => {
    const parts = format.decode(chunks, true)
    const again = format.decode(format.encode(parts), true)
    expect(answerOf(again)).toEqual(answerOf(parts))
  })

  it('is the same streamed and whole', () => {
    expect(answerOf(format.decode(chunks, true))).toEqual(answerOf(format.decodeWhole(whole)))
  })

  it('is the same whole answer after formatting', () => {
    const { response } = fold(format.decodeWhole(whole))
    expect(answerOf(format.decodeWhole(format.formatWhole(response)))).toEqual(
      answerOf(format.decodeWhole(whole)),
    )
  })
}

function brokenStreams(format: CallerFormatUnderTest, { chunks }: Sample): void {
  it('is an error wherever it breaks off', () => {
    const complete = chunks.findLastIndex(
      (_chunk, index) => fold(format.decode(chunks.slice(0, index), false)).error !== undefined,
    )
    expect(complete).toBeGreaterThan(0)
    for (let length = 0; length <= complete; length++) {
      expect(fold(format.decode(chunks.slice(0, length), false)).error).toBeDefined()
    }
  })

  it('is an error, once, wherever the vendor reports one', () => {
    for (let at = 0; at < chunks.length; at++) {
      const parts = format.decode([...chunks.slice(0, at), format.errorChunk], false)
      expect(parts.filter((part) => part.type === 'error')).toHaveLength(1)
    }
  })

  it('has no usage if the vendor reports none, instead of zero', () => {
    const without = chunks.filter((chunk) => !JSON.stringify(chunk).includes('"usage":{'))
    const { response } = fold(format.decode(without, true))
    expect(response.usage).toBeUndefined()
  })
}

/** The content of an answer, without its block numbers. */
function answerOf(parts: readonly StreamPart[]): unknown {
  const { response, error } = fold(parts)
  return {
    error: error?.message,
    id: response.id,
    usage: { ...response.usage, raw: undefined },
    choices: response.choices.map(({ index, blocks, finish }) => ({
      index,
      reason: finish?.reason,
      blocks: blocks.map((block) => ({
        ...block,
        logprobs: block.logprobs?.length === 0 ? undefined : block.logprobs,
      })),
    })),
  }
}

function bridge(format: CallerFormatUnderTest, pieces: readonly Buffer[]): object {
  const { text, error } = bridged((listener) => format.bridge(listener), pieces)
  return { text, error: error?.message }
}
