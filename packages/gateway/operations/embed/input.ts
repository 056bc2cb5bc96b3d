import type { EmbedInput, EmbedRequest } from '@turnpike/protocol'
import type { CatalogModel } from '@turnpike/vendors'
import { estimateTokens, type Estimate, type InputSeen } from '../rules.ts'

/** Vendors add a few tokens to each input, such as a start token or its purpose. */
const ownTokens = 32

/** The tokens that count against the limits before the answer: the most that the vendor may count. */
export function estimate({ inputs }: EmbedRequest): Estimate {
  let inputTokens = 0
  for (const input of inputs) inputTokens += estimateItem(input)
  return { inputTokens, outputTokens: 0, choices: 0 }
}

/** The tokens of one input, estimated from its size. */
export function estimateItem(input: EmbedInput): number {
  return typeof input === 'string' ? estimateTokens(Buffer.byteLength(input)) : input.length
}

/** A token is at least one byte, and no input is longer than the model's context. */
export function mostInputTokens({ inputs }: EmbedRequest, { contextLength }: CatalogModel): number {
  let most = 0
  for (const input of inputs) {
    const tokens = typeof input === 'string' ? Buffer.byteLength(input) : input.length
    most += Math.min(tokens + ownTokens, contextLength)
  }
  return most
}

/** The texts to count the request's tokens from. */
export function inputSeen({ inputs }: EmbedRequest): InputSeen {
  const texts = inputs.filter((input) => typeof input === 'string')
  let numbered = 0
  for (const input of inputs) if (typeof input !== 'string') numbered += input.length
  return { text: texts.join('\n'), tools: [], mediaTokens: numbered }
}

/** Every text of a request that a vendor's error may quote. */
export function* quotable({ inputs }: EmbedRequest): Generator<string> {
  for (const input of inputs) if (typeof input === 'string') yield input
}
