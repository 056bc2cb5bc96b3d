import { inputBuckets, outputBuckets, type Usage } from '@turnpike/protocol'
import type { Ending, OutputSeen } from '../answer/ending.ts'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { TokenCounter } from './token-counter.ts'
import { inputSeen, inputText } from './estimate.ts'

/**
 * The vendor's numbers where it gave them, and a tokenizer's in place of those it did not (contract, 4.7): a
 * promise only where there are such.
 */
export function completeUsage(request: Held, ending: Ending, gateway: Gateway): Usage | Promise<Usage> {
  const reported = ending.usage
  const inputKnown = reported !== undefined && inputBuckets.some((bucket) => reported[bucket] !== undefined)
  const outputKnown = reported !== undefined && outputBuckets.some((bucket) => reported[bucket] !== undefined)
  if (inputKnown && outputKnown) return reported
  return counted(request, ending, gateway, { inputKnown, outputKnown })
}

async function counted(
  request: Held,
  ending: Ending,
  gateway: Gateway,
  { inputKnown, outputKnown }: { inputKnown: boolean; outputKnown: boolean },
): Promise<Usage> {
  const usage: Usage = { ...ending.usage, estimated: true }
  if (!inputKnown) usage.inputTokens = await countInput(request, gateway)
  if (!outputKnown) usage.outputTokens = await countOutput(ending.output, gateway.tokens)
  return usage
}

/** Tokens of what was delivered; where only its beginning was kept, the rest is reckoned at the same rate. */
export async function countOutput(output: OutputSeen, tokens: TokenCounter): Promise<number> {
  const counted = await tokens.count(output.text)
  const countedBytes = Buffer.byteLength(output.text)
  return output.bytes <= countedBytes ? counted : Math.ceil((counted * output.bytes) / countedBytes)
}

async function countInput(
  { chat, input = inputSeen(chat.request) }: Held,
  gateway: Gateway,
): Promise<number> {
  return (await gateway.tokens.count(inputText(input))) + input.mediaTokens
}
