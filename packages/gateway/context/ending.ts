import type { GatewayError, Outcome, Usage } from '@turnpike/protocol'
import type { Cost } from '@turnpike/dialects'

/**
 * How a request ended, before its last bytes are sent: they wait until the row is safe, since what was
 * delivered must be charged.
 */
export interface Ending {
  outcome: Outcome
  /** HTTP status of the answer; 499 where the client had left. */
  status: number
  error: GatewayError | undefined
  /** The vendor's numbers, as far as it gave them. */
  usage: Usage | undefined
  /** The vendor had finished: its numbers are of the whole answer, where earlier ones are of a part. */
  finished: boolean
  /** The service tier that the answer's head names. */
  tier?: string | undefined
  /** What the client was given, for an estimate where numbers are missing. */
  output: OutputSeen
  tail: Tail
}

/** The beginning of an answer's text, and how long the whole of it is, in bytes. */
export interface OutputSeen {
  text: string
  /** Pieces of what follows that. */
  sample: string
  bytes: number
  /** Tokens besides, that are no text: of sound and pictures. */
  textlessTokens: number
  /** Some of it is what the model thought. */
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
  /** A whole answer, whose body holds its cost. */
  | {
      kind: 'answer'
      headers: Record<string, string>
      body: (usage: Usage | undefined, cost: Cost) => string | Buffer
    }
  /** The last events of a stream, as latin1 text. */
  | { kind: 'stream'; text: (usage: Usage | undefined, cost: Cost) => string }
  /** An error in the envelope: nothing was sent yet. */
  | { kind: 'error'; error: GatewayError }
  /** The connection is to break off, so that nobody takes what was sent for the whole. */
  | { kind: 'cut' }
  /** The client has left. */
  | { kind: 'none' }

/** The ending of a request that was refused, or failed before its first token. */
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
