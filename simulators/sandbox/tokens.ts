/**
 * The sandbox's tokens: a run of up to eight characters without white space, with the white space before
 * it, or white space alone at the end. Not a real model's tokens, but as many of them as of those, the
 * same on every machine, and never half a character.
 */
const token = /\s*\S{1,8}|\s+/gu

/** The text in tokens; joined they are the text. */
export function tokenize(text: string): string[] {
  return text.match(token) ?? []
}

export function countTokens(text: string): number {
  return tokenize(text).length
}
