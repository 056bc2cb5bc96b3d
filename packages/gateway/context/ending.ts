import type { GatewayError, Outcome, Usage } from '@turnpike/protocol'
import type { Cost } from '@turnpike/dialects'

/** How a request ended. Its last bytes wait until the row is safe: delivered text must be charged. */
export interface Ending {
  outcome: Outcome
  /** HTTP status of the answer; 499 if the client had left. */
  status: number
  error: GatewayError | undefined
  /** The vendor's figures, as far as it reported any. */
  usage: Usage | undefined
  /** The vendor had finished, so its figures cover the whole answer. Earlier figures cover a part. */
  finished: boolean
  /** The service tier that the answer's head names. */
  tier?: string | undefined
  /** What the client received, to estimate missing figures from. */
  output: OutputSeen
  tail: Tail
}

/** The beginning of an answer's text, and the length of the whole text in bytes. */
export interface OutputSeen {
  text: string
  /** Samples of the text after that. */
  sample: string
  bytes: number
  /** Tokens of audio and images, which have no text. */
  textlessTokens: number
  /** Part of it is the model's reasoning. */
  reasoningSeen: boolean
}

export const noOutput: OutputSeen = {
  text: '',
  sample: '',
  bytes: 0,
  textlessTokens: 0,
  reasoningSeen: false,
}

/** What is left to send. */
export type Tail =
  /** A whole answer, whose body contains its cost. */
  | {
      kind: 'answer'
      /** Those about what served it; the others are added to them. */
      headers: Record<string, string>
      body: (usage: Usage | undefined, cost: Cost) => string | Buffer
    }
  /** The last events of a stream, as latin1 text. */
  | { kind: 'stream'; text: (usage: Usage | undefined, cost: Cost) => string }
  /** An error in its envelope: nothing has been sent yet. */
  | { kind: 'error'; error: GatewayError }
  /** Break the connection off, so that no client takes what was sent for the whole. */
  | { kind: 'cut' }
  /** The client has left. */
  | { kind: 'none' }

/** The ending of a request that was rejected, or that failed before its first token. */
export function endWithError(error: GatewayError): Ending {
  return {
    outcome: 'failed',
    status: error.status,
    error,
    usage: undefined,
    finished: false,
    output: noOutput,
    tail: { kind: 'error', error },
  }
}
