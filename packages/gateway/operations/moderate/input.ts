import type { ModerateInput, ModerateRequest } from '@turnpike/protocol'
import { estimateTokens, type Estimate, type InputSeen } from '../rules.ts'

/** Models add a few tokens to each input. */
const ownTokens = 32
/** For an image of any size; the only vendor that reads them is free. */
const tokensOfImage = 1_000

/** The tokens that a request counts against the limits before it is answered. */
export function estimate({ inputs }: ModerateRequest): Estimate {
  const inputTokens = tokensOf(inputs, estimateTokens)
  return { inputTokens, outputTokens: 0, choices: 0 }
}

/** A token is at least one byte. */
export function mostInputTokens({ inputs }: ModerateRequest): number {
  return tokensOf(inputs, (bytes) => bytes + ownTokens)
}

function tokensOf(inputs: readonly ModerateInput[], ofBytes: (bytes: number) => number): number {
  let tokens = 0
  for (const input of inputs)
    tokens += input.kind === 'text' ? ofBytes(Buffer.byteLength(input.text)) : tokensOfImage
  return tokens
}

/** The texts to count the request's tokens from. */
export function inputSeen({ inputs }: ModerateRequest): InputSeen {
  const images = inputs.filter(({ kind }) => kind === 'image').length
  const texts = inputs.flatMap((input) => (input.kind === 'text' ? [input.text] : []))
  return { text: texts.join('\n'), tools: [], mediaTokens: images * tokensOfImage }
}

/** Every text and address of a request that a vendor's error may quote. */
export function* quotable({ inputs }: ModerateRequest): Generator<string> {
  for (const input of inputs) yield input.kind === 'text' ? input.text : input.url
}
