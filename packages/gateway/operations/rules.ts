import type { InputBucket, ModelRequest, Tool } from '@turnpike/protocol'
import type { Candidate } from '../candidates/candidate.ts'

/**
 * What the pipeline does not know of a request and asks of its operation: what it may come to, what of it is
 * counted, and how it is called. Plain functions of the request, without state.
 */
export interface OperationRules {
  /**
   * How OpenTelemetry's conventions call it:
   * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/.
   */
  spanName: string
  /** Whether tokens come back: where none do, an answer that tells no output has told all of it. */
  expectsOutput: boolean
  /**
   * What a request may come to, from sizes alone: this runs for every request, so no tokenizer does.
   * @param candidates to whom it may be sent
   */
  estimate(request: ModelRequest, bodyBytes: number, candidates: readonly Candidate[]): Estimate
  /** Output tokens of a choice that are held for where the caller named no bound; 0 where none come back. */
  unnamedBound(request: ModelRequest): number
  /** How many choices are generated, and billed. */
  choices(request: ModelRequest): number
  /** How many inputs it has, each of which may fill the model's context. */
  inputs(request: ModelRequest): number
  /** Which prices, besides that of text, its input may have. */
  billedUnits(request: ModelRequest): readonly InputBucket[]
  /** What its tokens are counted from, where the vendor does not report them. */
  texts(request: ModelRequest): InputSeen
  /** Each of its texts that a vendor's error may quote: none of them may be in a log. */
  quotable(request: ModelRequest): Iterable<string>
  /** Its pictures, recordings and documents. */
  media(request: ModelRequest): MediaSizes
}

/** What limits count of a request before it is answered. */
export interface Estimate {
  inputTokens: number
  /** Of one choice, whatever the model's own bound. */
  outputTokens: number
  choices: number
}

/** The input of a request, as a tokenizer is to count it. */
export interface InputSeen {
  /** Of its messages. */
  text: string
  tools: readonly Tool[]
  /** Of what is no text: media, and tokens that were given by their numbers. */
  mediaTokens: number
}

export interface MediaSizes {
  /** Of base64, in the request's body. */
  characters: number
  /** That they come to. The request's text is counted apart. */
  tokens: number
}

/**
 * The output bound of a request that names none, and the least to which one that the credit does not cover is
 * lowered (contract, section 4.5).
 */
export const defaultOutputTokens = 4_096

/** Tokens of a text from its bytes: on the high side for prose and code in any script. */
const bytesPerToken = 3

/** Tokens of a text by its length. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** The text of an input, as a tokenizer is to count it. */
export function inputText({ text, tools }: InputSeen): string {
  return [text, ...tools.map((tool) => JSON.stringify(tool))].join('\n')
}
