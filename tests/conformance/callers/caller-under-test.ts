import type { GenerateCaller } from '@turnpike/dialects'
import type { RecordedCase } from '@turnpike/simulators'
import type { Json } from '../vendors/oracle/json.ts'
import type { SaidAnswer } from '../vendors/oracle/said-answer.ts'

/** A caller format as its clients speak it. Its reading code is independent of the gateway's. */
export interface CallerUnderTest {
  format: GenerateCaller
  /** Whether the format lacks tool calls. */
  callsNoTools?: true
  /** Path and query of a request for this model. */
  address(model: string, stream: boolean): string
  /** The smallest body for this model that requests usage. */
  request(model: string, stream: boolean): Json
  /** How a stream's text ends, complete or broken off; absent: with an event. */
  streamEnd?: RegExp
  /** Reads a stream's text, complete or broken off. */
  readStream(text: string): ToldStream
  readWhole(body: Json): SaidAnswer
  /** The message of a failed response; undefined if it is not in the format's envelope. */
  readError(body: Json): string | undefined
  /** Fails if clients get anything other than the vendor's answer, as far as the format can express it. */
  expectTold(told: SaidAnswer, said: SaidAnswer, recorded: RecordedCase): void
}

export interface ToldStream {
  answer: SaidAnswer
  /** Whether it has its end, so that the answer is complete. */
  ended: boolean
  /** The error message with which it broke off. */
  error: string | undefined
}
