/**
 * What a recorded answer says, read apart from the gateway's own decoders: nothing here imports them, so
 * that a mistake of theirs is not made twice.
 */
export interface SaidAnswer {
  choices: SaidChoice[]
  /** Undefined where the vendor counted nothing: then the gateway estimates. */
  usage: SaidUsage | undefined
}

export interface SaidChoice {
  text: string
  reasoning: string
  refusal: string
  toolCalls: SaidToolCall[]
  /** Reasoning that must come back to its vendor unchanged, in order. */
  proofs: SaidProof[]
  /** In OpenAI's words; undefined where the answer broke off. */
  finish: string | undefined
}

export interface SaidToolCall {
  /** Undefined where the vendor gives calls no name of their own. */
  id: string | undefined
  name: string
  /** Parsed; the text itself where the model was cut off within its JSON, or a custom tool took free text. */
  arguments: unknown
}

/** A signature with the text that it signs, or a block that only its vendor reads. */
export type SaidProof = { signature: string; text: string } | { encrypted: string }

export interface SaidUsage {
  /** Cached and written tokens included. */
  prompt: number
  /** Reasoning included. */
  completion: number
  cached: number
  cacheWritten: number
  /** Of those written, the ones that are kept for an hour. */
  written1h: number
  reasoning: number
}

/** An answer that is no success, or stopped being one on its way. */
export interface SaidFailure {
  /** As the caller gets it. */
  status: number
  type: string
  /** Of the vendor's own; undefined where the gateway must say something else. */
  message: string | undefined
  retryAfterSeconds: number | undefined
}

export type Said =
  | { kind: 'answer'; answer: SaidAnswer }
  /** The stream reported an error after this much, in these words, or could not be believed any further. */
  | { kind: 'broken'; answer: SaidAnswer; message: string | undefined }
  | { kind: 'failed'; failure: SaidFailure }

export function emptyChoice(): SaidChoice {
  return { text: '', reasoning: '', refusal: '', toolCalls: [], proofs: [], finish: undefined }
}

/** A tool without arguments is said with nothing, with `{}` or with both. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    // The model was cut off within its arguments: then they are what there is of them.
    return text
  }
}
