/**
 * What a vendor does with one request, as plain data: the adapters play it, on timers or on a socket,
 * so that a test that passes in-process means the same as one over HTTP.
 */
export interface VendorScript {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[]>
  steps: ScriptStep[]
  /** What the vendor would put on its bill; undefined where nobody can know, as for a recording. */
  bill: ScriptBill | undefined
}

export type ScriptStep =
  /** Status and headers go out. Comes before the first `bytes`. */
  | { type: 'head' }
  /** A write of its own; `tokens` are the output tokens in it, reasoning included. */
  | { type: 'bytes'; bytes: Buffer; tokens: number }
  /** With 0 ms only a turn of the event loop, which keeps two writes in two segments. */
  | { type: 'delay'; delayMs: number }
  /** The connection breaks: TCP RST. Last step. */
  | { type: 'reset' }
  /** Nothing more, for ever. Last step. */
  | { type: 'hang' }
  /** The body ends cleanly, whole or not. Last step. */
  | { type: 'end' }

export interface ScriptBill {
  promptTokens: number
  cachedTokens: number
  /** Of the whole answer; a broken one is billed by the tokens of the steps that were played. */
  completionTokens: number
  reasoningTokens: number
  /** True where the answer tells its caller these numbers. */
  reported: boolean
  /** What it tells of the completion, where that is not what it was. */
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

/** All body bytes of a script, whether or not it ends well. */
export function bodyOf(script: VendorScript): Buffer {
  const pieces: Buffer[] = []
  for (const step of script.steps) if (step.type === 'bytes') pieces.push(step.bytes)
  return Buffer.concat(pieces)
}
