import {
  inputBuckets,
  outputBuckets,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from '@turnpike/protocol'
import type { Ending, OutputSeen } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { inputText } from '../operations/rules.ts'
import type { TokenCounter } from '../services/token-counter.ts'
import { mostTokens, tokensOfReading } from './most-tokens.ts'
import { unseenReasoningTokens } from './unseen-reasoning.ts'

/** Pages that a vendor reads for its citations are not in the model's context at one time. */
const mostCitedContexts = 10

/**
 * The vendor's numbers where it gave some that can be true, and a tokenizer's in place of those it did not
 * (docs/contract.md, 4.5 and 4.7): a promise only where there are such.
 */
export function completeUsage(attempt: Attempt, ending: Ending, gateway: Gateway): Usage | Promise<Usage> {
  const { expectsOutput } = attempt.request.operation
  const { usage } = ending
  const reported = usage !== undefined && !isPlausible(usage, attempt) ? implausible(usage) : usage
  // What is billed by search units has no count of its tokens.
  const inputKnown =
    reported !== undefined &&
    (reported.searchUnits !== undefined || inputBuckets.some((bucket) => reported[bucket] !== undefined))
  const outputKnown =
    reported !== undefined &&
    (!expectsOutput || outputBuckets.some((bucket) => reported[bucket] !== undefined))
  if (inputKnown && outputKnown && ending.finished) return reported
  return countMissing(attempt, reported, ending, gateway, { inputKnown, outputKnown })
}

/** Whether an answer can have had so many. */
function isPlausible(usage: Usage, attempt: Attempt): boolean {
  const { contextLength } = attempt.candidate.model
  const isCitedWithin = (usage.citationTokens ?? 0) <= contextLength * mostCitedContexts
  const all = totalInputTokens(usage) + totalOutputTokens(usage)
  // Servers that do not count write zeros: what only reads has read something.
  if (all === 0 && usage.searchUnits === undefined && !attempt.request.operation.expectsOutput) return false
  return isCitedWithin && (all <= tokensOfReading(attempt) || all <= mostTokens(attempt))
}

/** None of its counts is believed where they cannot be true together. */
function implausible({ raw }: Usage): Usage {
  return { raw, disbelieved: 'implausible' }
}

async function countMissing(
  attempt: Attempt,
  reported: Usage | undefined,
  { output, finished }: Ending,
  gateway: Gateway,
  { inputKnown, outputKnown }: { inputKnown: boolean; outputKnown: boolean },
): Promise<Usage> {
  const usage: Usage = { ...reported, estimated: true }
  if (!inputKnown) Object.assign(usage, await estimateInput(attempt, gateway))
  if (outputKnown && finished) return usage
  const outputTokens = await countOutput(output, gateway.tokens)
  const reasoningTokens = unseenReasoningTokens(attempt, output, outputTokens)
  // What a vendor tells in the middle is what it knew by then, if it is anything.
  if (outputKnown && outputTokens + reasoningTokens <= totalOutputTokens(usage)) return usage
  for (const bucket of outputBuckets) delete usage[bucket]
  usage.outputTokens = outputTokens
  if (reasoningTokens > 0) usage.reasoningTokens = reasoningTokens
  return usage
}

/**
 * Tokens of what was delivered; where only its beginning was kept, the rest is reckoned from pieces of that.
 */
export async function countOutput(output: OutputSeen, tokens: TokenCounter): Promise<number> {
  const { text, sample, bytes, textlessTokens } = output
  const counted = (await tokens.count(text)) + textlessTokens
  const restBytes = bytes - Buffer.byteLength(text)
  if (restBytes <= 0 || sample === '') return counted
  const ofSample = await tokens.count(sample)
  return counted + Math.ceil((ofSample * restBytes) / Buffer.byteLength(sample))
}

function estimateInput({ request, candidate }: Attempt, gateway: Gateway): Usage | Promise<Usage> {
  const { operation, call } = request
  const reckoned = operation.services?.estimateUsage?.(call.request, candidate.provider)
  return reckoned ?? countInput(request, gateway)
}

async function countInput(
  { call, operation, input = operation.texts(call.request) }: Held,
  gateway: Gateway,
): Promise<Usage> {
  return { inputTokens: (await gateway.tokens.count(inputText(input))) + input.mediaTokens }
}
