import type { VendorScript } from '@turnpike/simulators'

/** An answer of a simulated vendor; each vendor's file formats it, plain and as a stream. */
export interface ScriptedAnswer {
  /** Distinguishes answers; absent: all have the same. */
  id?: string
  reasoning?: ScriptedReasoning
  text?: string
  calls?: ScriptedCall[]
  /** Why it ends early; absent: it is complete. */
  ending?: ScriptedEnding
  /** The request's body, which vendors of Responses repeat. */
  asked?: Record<string, unknown>
  usage: ScriptedUsage
}

/** Cut off at the output limit, or refused for its subject. */
export type ScriptedEnding = 'length' | 'refused'

export interface ScriptedReasoning {
  text: string
  /** For vendors that sign: Anthropic signs reasoning, Google signs calls. */
  signature: string
}

export interface ScriptedCall {
  id: string
  name: string
  arguments: Record<string, unknown>
}

/** Tokens; each is counted in one field only. */
export interface ScriptedUsage {
  input: number
  cached: number
  output: number
  reasoning: number
  /** Tokens that Anthropic cached for five minutes and for an hour. */
  written?: { fiveMinutes: number; oneHour: number }
}

/** A vendor's way to format answers. */
export interface ScriptedVendor {
  plain(answers: readonly ScriptedAnswer[]): object
  /** The stream's bytes, or the same as text. */
  stream(answers: readonly ScriptedAnswer[]): string | Buffer
  /** Absent: server-sent events. */
  streamType?: string
}

export function plainScript(vendor: ScriptedVendor, ...answers: ScriptedAnswer[]): VendorScript {
  return script('application/json', JSON.stringify(vendor.plain(answers)))
}

export function streamScript(vendor: ScriptedVendor, ...answers: ScriptedAnswer[]): VendorScript {
  return script(vendor.streamType ?? 'text/event-stream', vendor.stream(answers))
}

export function eventScript(events: string): VendorScript {
  return script('text/event-stream', events)
}

function script(contentType: string, body: string | Buffer): VendorScript {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    status: 200,
    headers: { 'content-type': contentType },
    steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}

/** Two halves, since a stream may be cut anywhere, even within JSON. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
