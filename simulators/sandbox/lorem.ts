import { tokenize } from './tokens.ts'

const sentences = [
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
  'Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo.',
  'Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla.',
  'Excepteur sint occaecat cupidatat non proident, sunt in culpa qui officia deserunt mollit anim.',
]

/** The tokens of the text as a ring, each with the space before it. */
const ring = tokenize(` ${sentences.join(' ')}`)

/** Indexes at which a sentence begins. */
const starts = ring.flatMap((_, index) => (ring.at(index - 1)!.endsWith('.') ? [index] : []))

/** This many tokens of lorem ipsum, beginning at a sentence that the seed selects. */
export function loremTokens(count: number, seed: number): string[] {
  const start = starts[seed % starts.length]!
  const tokens: string[] = []
  for (let index = 0; index < count; index++) tokens.push(ring[(start + index) % ring.length]!)
  if (tokens.length > 0) tokens[0] = tokens[0]!.trimStart()
  return tokens
}
