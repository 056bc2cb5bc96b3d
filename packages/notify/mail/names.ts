const longestName = 80

/**
 * A name that a stranger chose, made safe for a mail: short, on one line, and not recognised as a link, since
 * each dot, colon or slash within a word is followed by a space: `evil. example`.
 */
export function withoutLinks(name: string): string {
  const short = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestName)
    .toWellFormed()
  return short.replaceAll(/([.:/@。．｡])(?=\S)/gu, '$1 ').replaceAll('"', "'")
}
