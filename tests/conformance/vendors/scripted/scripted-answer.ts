import type { VendorScript } from '@turnpike/simulators'

/** What a simulated vendor is to say; each vendor's file says it in its own words, whole and as a stream. */
export interface ScriptedAnswer {
  /** Told apart from other answers; absent: all have the same. */
  id?: string
  reasoning?: ScriptedReasoning
  text?: string
  calls?: ScriptedCall[]
  /** Why it ends where it does; absent: it is whole. */
  ending?: ScriptedEnding
  /** The request's body, which vendors of Responses repeat. */
  asked?: Record<string, unknown>
  usage: ScriptedUsage
}

/** Cut off at the most that it may say; or not said, for what it is about. */
export type ScriptedEnding = 'length' | 'refused'

export interface ScriptedReasoning {
  text: string
  /** Of the vendors that sign: Anthropic its thinking, Google its calls. */
  signature: string
}

export interface ScriptedCall {
  id: string
  name: string
  arguments: Record<string, unknown>
}

/** Tokens; none is in two of these. */
export interface ScriptedUsage {
  input: number
  cached: number
  output: number
  reasoning: number
  /** What Anthropic wrote to its cache, for five minutes and for an hour. */
  written?: { fiveMinutes: number; oneHour: number }
}

/** A vendor's way to say it. */
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

/** Two halves, as a stream cuts texts anywhere, also within JSON. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
