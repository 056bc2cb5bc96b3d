import type { GenerateCaller } from '@turnpike/dialects'
import type { RecordedCase } from '@turnpike/simulators'
import type { Json } from '../vendors/oracle/json.ts'
import type { SaidAnswer } from '../vendors/oracle/said-answer.ts'

/** A caller format, as its clients speak it; what they read is read apart from the gateway's own code. */
export interface CallerUnderTest {
  format: GenerateCaller
  /** Nothing in it could ask for a tool, nor tell of a call. */
  callsNoTools?: true
  /** Path and query of a request for this model. */
  address(model: string, stream: boolean): string
  /** The least body that asks this model; usage is asked for. */
  request(model: string, stream: boolean): Json
  /** How a stream's text ends, whole or broken off; absent: with an event. */
  streamEnd?: RegExp
  /** A stream's text, whole or broken off. */
  readStream(text: string): ToldStream
  readWhole(body: Json): SaidAnswer
  /** The message of an answer that is no success; undefined where it is not in the format's envelope. */
  readError(body: Json): string | undefined
  /** Fails where clients were told anything else than the vendor said, as far as the format can say it. */
  expectTold(told: SaidAnswer, said: SaidAnswer, recorded: RecordedCase): void
}

export interface ToldStream {
  answer: SaidAnswer
  /** Its end was told: the answer is whole. */
  ended: boolean
  /** The message with which it broke off. */
  error: string | undefined
}
