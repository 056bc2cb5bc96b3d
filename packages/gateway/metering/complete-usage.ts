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

/** Pages that a vendor reads for its citations are not all in the model's context at the same time. */
const mostCitedContexts = 10

/**
 * The vendor's usage if it is plausible, with the tokenizer's counts for missing figures (docs/contract.md,
 * 4.5 and 4.7). Returns a promise only if a figure is missing.
 */
export function completeUsage(attempt: Attempt, ending: Ending, gateway: Gateway): Usage | Promise<Usage> {
  const { expectsOutput } = attempt.request.operation
  const { usage } = ending
  const reported = usage !== undefined && !isPlausible(usage, attempt) ? implausible(usage) : usage
  // An answer that is billed by search units has no token count.
  const inputKnown =
    reported !== undefined &&
    (reported.searchUnits !== undefined || inputBuckets.some((bucket) => reported[bucket] !== undefined))
  const outputKnown =
    reported !== undefined &&
    (!expectsOutput || outputBuckets.some((bucket) => reported[bucket] !== undefined))
  if (inputKnown && outputKnown && ending.finished) return reported
  return countMissing(attempt, reported, ending, gateway, { inputKnown, outputKnown })
}

/** Whether an answer can have had this many tokens. */
function isPlausible(usage: Usage, attempt: Attempt): boolean {
  const { contextLength } = attempt.candidate.model
  const isCitedWithin = (usage.citationTokens ?? 0) <= contextLength * mostCitedContexts
  const all = totalInputTokens(usage) + totalOutputTokens(usage)
  // Servers that do not count report zeros, but an operation without output has at least read its input.
  if (all === 0 && usage.searchUnits === undefined && !attempt.request.operation.expectsOutput) return false
  return isCitedWithin && (all <= tokensOfReading(attempt) || all <= mostTokens(attempt))
}

/** If the figures contradict each other, none of them is used. */
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
  // Usage reported in the middle of an answer covers what the vendor knew by then, if anything.
  if (outputKnown && outputTokens + reasoningTokens <= totalOutputTokens(usage)) return usage
  for (const bucket of outputBuckets) delete usage[bucket]
  usage.outputTokens = outputTokens
  if (reasoningTokens > 0) usage.reasoningTokens = reasoningTokens
  return usage
}

/** Tokens of the delivered output. If only its beginning was kept, the rest is estimated from the sample. */
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
  const estimate = operation.services?.estimateUsage?.(call.request, candidate.provider)
  return estimate ?? countInput(request, gateway)
}

async function countInput(
  { call, operation, input = operation.texts(call.request) }: Held,
  gateway: Gateway,
): Promise<Usage> {
  return { inputTokens: (await gateway.tokens.count(inputText(input))) + input.mediaTokens }
}
