import type { EmbedInput, EmbedRequest } from '@turnpike/protocol'
import type { CatalogModel } from '@turnpike/vendors'
import { estimateTokens, type Estimate, type InputSeen } from '../rules.ts'

/** Vendors put a few tokens of their own around each input, as at its beginning, or what it is for. */
const ownTokens = 32

/** What limits count of a request: its input as it may be at the vendor. */
export function estimate({ inputs }: EmbedRequest): Estimate {
  let inputTokens = 0
  for (const input of inputs) inputTokens += estimateItem(input)
  return { inputTokens, outputTokens: 0, choices: 0 }
}

/** Tokens of one of its inputs, from its size. */
export function estimateItem(input: EmbedInput): number {
  return typeof input === 'string' ? estimateTokens(Buffer.byteLength(input)) : input.length
}

/** A token is a byte at least, and no input is longer than the model's context. */
export function mostInputTokens({ inputs }: EmbedRequest, { contextLength }: CatalogModel): number {
  let most = 0
  for (const input of inputs) {
    const tokens = typeof input === 'string' ? Buffer.byteLength(input) : input.length
    most += Math.min(tokens + ownTokens, contextLength)
  }
  return most
}

/** What the tokens of a request are counted from. */
export function inputSeen({ inputs }: EmbedRequest): InputSeen {
  const texts = inputs.filter((input) => typeof input === 'string')
  let numbered = 0
  for (const input of inputs) if (typeof input !== 'string') numbered += input.length
  return { text: texts.join('\n'), tools: [], mediaTokens: numbered }
}

/** Each text of a request that a vendor may quote. */
export function* quotable({ inputs }: EmbedRequest): Generator<string> {
  for (const input of inputs) if (typeof input === 'string') yield input
}
