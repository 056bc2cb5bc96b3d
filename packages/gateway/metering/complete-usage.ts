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
import { boundOf } from './output-bound.ts'
import { servicesAsked } from './services-asked.ts'
import { unseenReasoningTokens } from './unseen-reasoning.ts'

/** Pages that a vendor reads for its citations are not in the model's context at one time. */
const mostCitedContexts = 10

/**
 * The vendor's numbers where it gave some that can be true, and a tokenizer's in place of those it did not
 * (contract, 4.5 and 4.7): a promise only where there are such.
 */
export function completeUsage(attempt: Attempt, ending: Ending, gateway: Gateway): Usage | Promise<Usage> {
  const { expectsOutput } = attempt.request.operation
  const { usage } = ending
  const reported = usage !== undefined && !isPlausible(usage, attempt) ? implausible(usage) : usage
  const inputKnown = reported !== undefined && inputBuckets.some((bucket) => reported[bucket] !== undefined)
  const outputKnown =
    reported !== undefined &&
    (!expectsOutput || outputBuckets.some((bucket) => reported[bucket] !== undefined))
  if (inputKnown && outputKnown && ending.finished) return reported
  return counted(attempt, reported, ending, gateway, { inputKnown, outputKnown })
}

/**
 * No answer has more tokens than the model's context, and what its output may be beyond that; where the
 * vendor's own tools let the model read on, each reading has.
 */
function isPlausible(usage: Usage, { request, candidate }: Attempt): boolean {
  const { call, operation, outputBound } = request
  const { model, provider } = candidate
  const output = outputBound.isSent ? boundOf(outputBound, model) : model.maxOutputTokens
  const once = operation.mostInputTokens(call.request, model) + output * operation.choices(call.request)
  const isCitedWithin = (usage.citationTokens ?? 0) <= model.contextLength * mostCitedContexts
  const all = totalInputTokens(usage) + totalOutputTokens(usage)
  if (!isCitedWithin || all <= once) return isCitedWithin
  // However short the input was thought to be, the vendor may have found it long enough to shorten it.
  const at = { provider, model, heldInputTokens: Infinity }
  const { readings = 1, moreOutputTokens = 0 } = servicesAsked(request, at)
  const mostReadings = operation.services?.mostReadings(call.request, provider) ?? 1
  return all <= once + model.contextLength * (Math.max(readings, mostReadings) - 1) + moreOutputTokens
}

/** None of its counts is believed where they cannot be true together. */
function implausible({ raw }: Usage): Usage {
  return { raw, disbelieved: 'implausible' }
}

async function counted(
  attempt: Attempt,
  reported: Usage | undefined,
  { output, finished }: Ending,
  gateway: Gateway,
  { inputKnown, outputKnown }: { inputKnown: boolean; outputKnown: boolean },
): Promise<Usage> {
  const usage: Usage = { ...reported, estimated: true }
  if (!inputKnown) usage.inputTokens = await countInput(attempt.request, gateway)
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

async function countInput(
  { call, operation, input = operation.texts(call.request) }: Held,
  gateway: Gateway,
): Promise<number> {
  return (await gateway.tokens.count(inputText(input))) + input.mediaTokens
}
