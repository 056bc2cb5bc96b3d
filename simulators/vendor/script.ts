/**
 * What a vendor does with one request, as plain data. Adapters play it on timers or on a socket, so that a
 * test in-process and a test over HTTP mean the same.
 */
export interface VendorScript {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[]>
  steps: ScriptStep[]
  /** What the vendor would charge; undefined if unknown, as for a recording. */
  bill: ScriptBill | undefined
}

export type ScriptStep =
  /** Sends status and headers. Comes before the first `bytes`. */
  | { type: 'head' }
  /** A separate write; `tokens` are the output tokens in it, reasoning included. */
  | { type: 'bytes'; bytes: Buffer; tokens: number }
  /** With 0 ms, waits one turn of the event loop, which keeps two writes in two segments. */
  | { type: 'delay'; delayMs: number }
  /** Breaks the connection with a TCP RST. Last step. */
  | { type: 'reset' }
  /** Sends nothing more, for ever. Last step. */
  | { type: 'hang' }
  /** Ends the body cleanly, complete or not. Last step. */
  | { type: 'end' }

export interface ScriptBill {
  promptTokens: number
  cachedTokens: number
  /** Of the whole answer; an interrupted one is billed by the tokens of the steps that were played. */
  completionTokens: number
  reasoningTokens: number
  /** Whether the answer reports these numbers to its caller. */
  reported: boolean
  /** The completion tokens that it reports, if they are not the true ones. */
  told?: number
}

export interface VendorRequest {
  method: string
  /** Path and query. */
  path: string
  /** Lower-case names. */
  headers: Record<string, string>
  body: Buffer
}

export interface Vendor {
  answer(request: VendorRequest): VendorScript
}

/** All body bytes of a script, whether or not it ends normally. */
export function bodyOf(script: VendorScript): Buffer {
  const pieces: Buffer[] = []
  for (const step of script.steps) if (step.type === 'bytes') pieces.push(step.bytes)
  return Buffer.concat(pieces)
}
