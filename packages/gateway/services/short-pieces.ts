/** The most characters of a piece. */
const mostCharacters = 512
/** A piece may end from here on, if there is white space. */
const leastCharacters = 256

const whiteSpace = /\s/

/**
 * Splits a text into pieces that a tokenizer handles quickly. For text without white space, such as Chinese
 * or a long row of one letter, it takes quadratic time: minutes for a few hundred thousand characters. Pieces
 * end before white space if there is some, as tokens do; otherwise each piece adds at most one token.
 */
export function shortPieces(text: string): string[] {
  if (text.length <= mostCharacters) return [text]
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const end = endOf(text, start)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function endOf(text: string, start: number): number {
  const most = start + mostCharacters
  if (most >= text.length) return text.length
  for (let at = most; at > start + leastCharacters; at--) if (whiteSpace.test(text[at]!)) return at
  // Does not split a surrogate pair.
  return isLowSurrogate(text.charCodeAt(most)) ? most - 1 : most
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
