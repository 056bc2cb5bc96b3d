/**
 * The contents of a recorded answer, read independently of the gateway's own decoders: nothing here imports
 * them, so that their mistakes are not repeated.
 */
export interface SaidAnswer {
  choices: SaidChoice[]
  /** Undefined if the vendor reported no usage: then the gateway estimates it. */
  usage: SaidUsage | undefined
}

export interface SaidChoice {
  text: string
  reasoning: string
  refusal: string
  toolCalls: SaidToolCall[]
  /** Reasoning that must return to its vendor unchanged, in order. */
  proofs: SaidProof[]
  /** As OpenAI's finish reason; undefined if the answer broke off. */
  finish: string | undefined
}

export interface SaidToolCall {
  /** Undefined if the vendor gives calls no identifier. */
  id: string | undefined
  name: string
  /** Parsed JSON; the text itself if the model was cut off within it, or for a custom tool's free text. */
  arguments: unknown
}

/** A signature with the text that it signs, or a block that only its vendor can read. */
export type SaidProof = { signature: string; text: string } | { encrypted: string }

export interface SaidUsage {
  /** Includes cached and written tokens. */
  prompt: number
  /** Includes reasoning. */
  completion: number
  cached: number
  cacheWritten: number
  /** The part of the written tokens that is cached for an hour. */
  written1h: number
  reasoning: number
}

/** A response that failed, at once or while it was sent. */
export interface SaidFailure {
  /** As the caller gets it. */
  status: number
  type: string
  /** The vendor's own; undefined if the gateway must replace it. */
  message: string | undefined
  retryAfterSeconds: number | undefined
}

export type Said =
  | { kind: 'answer'; answer: SaidAnswer }
  /** After this much, the stream reported an error with this message, or became implausible. */
  | { kind: 'broken'; answer: SaidAnswer; message: string | undefined }
  | { kind: 'failed'; failure: SaidFailure }

export function emptyChoice(): SaidChoice {
  return { text: '', reasoning: '', refusal: '', toolCalls: [], proofs: [], finish: undefined }
}

/** Empty, `{}` or both together mean no arguments. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    // The model was cut off within its arguments, so the text is all there is.
    return text
  }
}
