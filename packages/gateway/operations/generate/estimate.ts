import type { ModelRequest } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'
import { defaultOutputTokens, estimateTokens, type Estimate } from '../rules.ts'
import { mediaOf } from './media.ts'
import { mostOfUnknownMedia } from './unknown-media.ts'

/** The output to hold for if the caller named no bound: room for an answer after the requested reasoning. */
export function defaultOutputBound({ reasoning, extensions }: ModelRequest): number {
  const { thinking } = extensions
  const native = typeof thinking === 'object' && thinking !== null && 'budget_tokens' in thinking
  const budget = reasoning?.budgetTokens ?? (native ? thinking.budget_tokens : 0)
  return (
    defaultOutputTokens + (Number.isSafeInteger(budget) && (budget as number) > 0 ? (budget as number) : 0)
  )
}

/** How many choices are generated and billed. `best_of` generates more than are returned (`n`). */
export function choicesGenerated({ choices, completion, extensions }: ModelRequest): number {
  const { best_of: bestOf = completion?.bestOf } = extensions
  const ofEach = typeof bestOf === 'number' && bestOf > choices ? bestOf : choices
  return ofEach * (completion?.prompts ?? 1)
}

/** How many inputs there are, each of which may fill the model's context. */
export function inputs({ completion }: ModelRequest): number {
  return completion?.prompts ?? 1
}

/** The fewest bytes of a token that is given as a number, with its separator. */
const leastBytesOfNumber = 2

/** The tokens of everything but media. */
function textTokens({ completion }: ModelRequest, bytes: number): number {
  const numbered = completion?.numberedTokens ?? 0
  return numbered + estimateTokens(Math.max(0, bytes - numbered * leastBytesOfNumber))
}

/** The tokens that a request counts against the limits: its largest possible input and output. */
export function estimate(
  request: ModelRequest,
  bodyBytes: number,
  candidates: readonly Candidate[],
): Estimate {
  const { characters, tokens: ofMedia } = mediaOf(request, candidates)
  const ofText = textTokens(request, bodyBytes - characters)
  // However many pages a document has, the model reads no more than its context holds.
  const room = ofMedia === 0 ? ofText : Math.max(ofText, mostContext(candidates))
  return {
    inputTokens: Math.max(Math.min(ofText + ofMedia, room), mostOfUnknownMedia(request, candidates)),
    outputTokens: estimateOutputTokens(request),
    choices: choicesGenerated(request),
  }
}

function mostContext(candidates: readonly Candidate[]): number {
  let most = 0
  for (const { model } of candidates) if (model.contextLength > most) most = model.contextLength
  return most
}

/** Output tokens of one choice. */
export function estimateOutputTokens({ maxOutputTokens }: ModelRequest): number {
  return maxOutputTokens ?? defaultOutputTokens
}

/** The largest possible input of a request, as far as the gateway can know. */
export function estimateInputTokens(request: ModelRequest, bodyBytes: number): number {
  const { characters, tokens } = mediaOf(request)
  return textTokens(request, bodyBytes - characters) + tokens
}
