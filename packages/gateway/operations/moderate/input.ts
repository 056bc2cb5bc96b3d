import type { ModerateInput, ModerateRequest } from '@turnpike/protocol'
import { estimateTokens, type Estimate, type InputSeen } from '../rules.ts'

/** Models put a few tokens of their own around each input. */
const ownTokens = 32
/** A picture of any size: the one vendor that reads them asks for no money. */
const tokensOfImage = 1_000

/** What limits count of a request. */
export function estimate({ inputs }: ModerateRequest): Estimate {
  const inputTokens = tokensOf(inputs, estimateTokens)
  return { inputTokens, outputTokens: 0, choices: 0 }
}

/** A token is a byte at least. */
export function mostInputTokens({ inputs }: ModerateRequest): number {
  return tokensOf(inputs, (bytes) => bytes + ownTokens)
}

function tokensOf(inputs: readonly ModerateInput[], ofBytes: (bytes: number) => number): number {
  let tokens = 0
  for (const input of inputs)
    tokens += input.kind === 'text' ? ofBytes(Buffer.byteLength(input.text)) : tokensOfImage
  return tokens
}

/** What the tokens of a request are counted from. */
export function inputSeen({ inputs }: ModerateRequest): InputSeen {
  const images = inputs.filter(({ kind }) => kind === 'image').length
  const texts = inputs.flatMap((input) => (input.kind === 'text' ? [input.text] : []))
  return { text: texts.join('\n'), tools: [], mediaTokens: images * tokensOfImage }
}

/** Each text and address of a request that a vendor may quote. */
export function* quotable({ inputs }: ModerateRequest): Generator<string> {
  for (const input of inputs) yield input.kind === 'text' ? input.text : input.url
}
