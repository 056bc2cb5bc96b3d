import type { FormatName } from '@turnpike/dialects'
import { readJson, unsureCharacters } from './truncated-json.ts'
import { fitValue, shortenText } from './fit.ts'
import type { Redactions, Redactor } from './redaction/redactor.ts'
import { streamAnswer } from './stream-answer.ts'

/** A captured request on its way to the log. */
export interface CapturedRequest {
  format: FormatName
  /** As in `/v1/chat/completions`. */
  path: string
  body: CapturedBytes
  answer: CapturedBytes
  /** HTTP status of the answer; 499 if its caller left before it began. */
  status: number
  isStream: boolean
}

export interface CapturedBytes {
  /** Undefined if nothing was captured, or there was no room for it. */
  bytes: Uint8Array | undefined
  /** Of the whole body. */
  length: number
  /** The end is missing. */
  cut: boolean
}

/** One side of a request as it is kept. */
export interface LoggedSide {
  /** JSON, or a string if it is not JSON; null if nothing is kept of it. */
  body: unknown
  /** Of the whole body as it was sent. */
  bytes: number
  /** Not all of it is kept. */
  truncated: boolean
}

/** What is kept of a request, once it is redacted. */
export interface LogEntry {
  path: string
  /** Null if its body was not read. */
  request: LoggedSide | null
  /** Null if there was no answer. */
  answer: (LoggedSide & { status: number; streamed: boolean }) | null
  redacted: Redactions
}

/** How much of a request, and of its answer, is kept. */
export interface EntryBounds {
  maxBytes: number
}

/** Turns a captured request into what is kept: parsed, redacted and within the size limit. */
export function logEntry(seen: CapturedRequest, redactor: Redactor, { maxBytes }: EntryBounds): LogEntry {
  redactor.takeCounts()
  const request = seen.body.length === 0 ? null : side(seen.body, (text) => parseOrText(text, seen.body.cut))
  const answer =
    seen.answer.length === 0
      ? null
      : {
          ...side(seen.answer, (_text, bytes) => readAnswer(seen, bytes)),
          status: seen.status,
          streamed: seen.isStream,
        }
  return { path: redactor.text(seen.path), request, answer, redacted: redactor.takeCounts() }

  function side(of: CapturedBytes, read: (text: string, bytes: Buffer) => unknown): LoggedSide {
    if (of.bytes === undefined) return { body: null, bytes: of.length, truncated: true }
    const bytes = Buffer.from(of.bytes.buffer, of.bytes.byteOffset, of.bytes.byteLength)
    const value = redactor.value(read(bytes.toString('utf8'), bytes))
    const { value: body, cut } =
      typeof value === 'string' ? textUpTo(value, maxBytes) : fitValue(value, maxBytes)
    return { body, bytes: of.length, truncated: of.cut || cut }
  }
}

function textUpTo(text: string, maxBytes: number): { value: string; cut: boolean } {
  const value = shortenText(text, maxBytes / 4)
  return { value, cut: value !== text }
}

/** What is not JSON is kept as text. If its end is missing, only up to where it can be trusted. */
function parseOrText(text: string, cut: boolean): unknown {
  return readJson(text) ?? (cut ? text.slice(0, -unsureCharacters) : text)
}

function readAnswer({ format, path, answer, isStream }: CapturedRequest, bytes: Buffer): unknown {
  if (!isStream) return parseOrText(bytes.toString('utf8'), answer.cut)
  try {
    const { body, error } = streamAnswer(format, path, bytes)
    return error === undefined ? body : { ...body, error }
  } catch (error) {
    // The events are not kept as they are: a secret may be split between two of them.
    return { error: { type: 'unreadable_stream', message: String(error) } }
  }
}
