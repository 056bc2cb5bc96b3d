/** Characters of a piece at most. */
const mostCharacters = 512
/** Where a piece may end, if there is white space. */
const leastCharacters = 256

const whiteSpace = /\s/

/**
 * A text in pieces that a tokenizer is fast with: what has no white space in it, as Chinese or a long row of
 * one letter, takes it the square of the length, minutes for a few hundred thousand characters. Pieces end
 * before white space where there is some, as tokens do; else they have a token more at most.
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
  // Half a character is none.
  return isLowSurrogate(text.charCodeAt(most)) ? most - 1 : most
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
