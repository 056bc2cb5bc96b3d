/**
 * A token of the sandbox: up to eight characters other than white space with the white space before them, or
 * white space alone at the end. These are not a real model's tokens, but about as many, the same on every
 * machine, and they never split a character.
 */
const token = /\s*\S{1,8}|\s+/gu

/** Splits the text into tokens; joined, they are the text again. */
export function tokenize(text: string): string[] {
  return text.match(token) ?? []
}

export function countTokens(text: string): number {
  return tokenize(text).length
}
