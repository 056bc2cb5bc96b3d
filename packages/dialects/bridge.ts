import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import type { PartFilterOptions } from './answers/part-filter.ts'

/** What one request cost, in the two forms that callers read. */
export interface Cost {
  /** USD, an exact decimal string. */
  usd: string
}

/** What an answer says about itself to the caller. */
export interface AnswerHead {
  /** Used if the upstream sent no identifier. */
  id: string
  /** `<provider>/<model_id>` of the model that served the request. */
  model: string
  /** Unix epoch seconds. */
  created: number
  /** The caller asked for the usage chunk. Every chunk before that one then has `"usage": null`. */
  includeUsage?: boolean
  /** The caller does not want to see the model's reasoning. */
  reasoningHidden?: boolean
}

/** Keeps an answer so that its caller can read it again or continue from it. */
export interface AnswerKeeper {
  /**
   * @param answer the whole answer, as its caller gets it
   * @param itemIds ids of its items, if items are looked up by id alone
   * @returns false if there was no room to keep it
   */
  keep(answer: object, itemIds: readonly string[]): boolean
}

/** What the caller's answer says about itself, and which parts of it the caller wants to see. */
export interface BridgeHead extends AnswerHead, PartFilterOptions {
  includeUsage: boolean
  /** What the answer needs from the request: see `Call.asked`. */
  asked?: object | undefined
  /** Absent: the answer is not kept. */
  keeper?: AnswerKeeper | undefined
}

/**
 * Converts a streamed answer from an upstream's format to the caller's. Text is latin1, one character per
 * byte, so a cut inside a UTF-8 character needs no special case.
 */
export interface StreamBridge {
  /** Takes bytes from the upstream. The listener is called at once for each complete event in them. */
  push(chunk: Buffer): void
  /** The upstream closed, or its connection broke. An answer without a finish yields an error part. */
  end(broken?: boolean): void
  /** The last events of a complete answer: the usage chunk if the caller asked for it, and `[DONE]`. */
  closing(usage: Usage | undefined, cost: Cost): string
  /** The last event of an answer that broke off. */
  failing(error: GatewayError, requestId: string): string
}

export interface BridgeListener {
  /**
   * Reports the parts that one upstream event decodes to, in real text, and the complete events to send for
   * it (`''` for none). The usage chunk is not among them: `closing` writes it.
   */
  onEvent(parts: readonly StreamPart[], text: string): void
}

/** An upstream's whole answer, decoded and ready to be written in the caller's format. */
export interface WholeAnswer<Body extends string | Buffer = string | Buffer> {
  usage: Usage | undefined
  /** The answer's text and tool calls, from which usage is estimated if the vendor reports none. */
  outputText: string
  /** Further tokens that are not text: audio and images. */
  textlessTokens: number
  /** The answer contains reasoning in full. */
  reasoningSeen: boolean
  /** Writes the caller's body. */
  body: (usage: Usage | undefined, cost: Cost) => Body
}
