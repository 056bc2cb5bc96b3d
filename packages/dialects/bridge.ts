import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import type { PartFilterOptions } from './answers/part-filter.ts'

/** What one request cost, in both forms in which a caller is told. */
export interface Cost {
  /** USD, an exact decimal string. */
  usd: string
}

/** What an answer says of itself towards the caller. */
export interface AnswerHead {
  /** Used where the upstream gave no identifier. */
  id: string
  /** `<provider>/<model_id>` that served. */
  model: string
  /** Unix epoch seconds. */
  created: number
  /** The caller asked for the usage chunk: until then every chunk has a null in its place. */
  includeUsage?: boolean
  /** The caller does not want to see what the model thought. */
  reasoningHidden?: boolean
}

/** Keeps an answer, so that its caller may read it again and go on from it. */
export interface AnswerKeeper {
  /**
   * @param answer whole, as its caller gets it
   * @param itemIds of its items, where those are found by them alone
   * @returns whether it is kept: there may be no room for it
   */
  keep(answer: object, itemIds: readonly string[]): boolean
}

/** What the caller's answer says of itself, and what the caller wants to see of it. */
export interface BridgeHead extends AnswerHead, PartFilterOptions {
  includeUsage: boolean
  /** Of the request: see `Call.asked`. */
  asked?: object | undefined
  /** Absent: the answer is not kept. */
  keeper?: AnswerKeeper | undefined
}

/**
 * A streamed answer on its way from an upstream's format to the caller's. Text is latin1: one character a
 * byte, so that a cut within a UTF-8 character is no special case.
 */
export interface StreamBridge {
  /** Bytes of the upstream; each whole event in them reaches the listener at once. */
  push(chunk: Buffer): void
  /** The upstream closed, or its connection broke; an answer without its finish is an error part. */
  end(broken?: boolean): void
  /** The last events of an answer that is complete: the usage chunk where asked for, and `[DONE]`. */
  closing(usage: Usage | undefined, cost: Cost): string
  /** The last event of an answer that broke off. */
  failing(error: GatewayError, requestId: string): string
}

export interface BridgeListener {
  /**
   * What one event of the upstream means, in real text, and the whole events to send for it (`''` for
   * none). The text of a usage chunk is not among them: `closing` writes it.
   */
  onEvent(parts: readonly StreamPart[], text: string): void
}

/** A whole answer of an upstream, understood and ready to be said in the caller's format. */
export interface WholeAnswer<Body extends string | Buffer = string | Buffer> {
  usage: Usage | undefined
  /** Characters of the answer's text and tool calls, for an estimate where the usage is missing. */
  outputText: string
  /** Tokens besides, that are no text: of sound and pictures. */
  textlessTokens: number
  /** Some of it is what the model thought, in full. */
  reasoningSeen: boolean
  /** The caller's body. */
  body: (usage: Usage | undefined, cost: Cost) => Body
}
