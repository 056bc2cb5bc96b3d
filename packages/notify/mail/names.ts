const longestName = 80

/**
 * A name that a stranger chose, for a letter: short, on one line, and no program makes a link of it, since
 * dots, colons and slashes within a word are followed by a space: `evil. example`.
 */
export function withoutLinks(name: string): string {
  const short = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestName)
    .toWellFormed()
  return short.replaceAll(/([.:/@。．｡])(?=\S)/gu, '$1 ').replaceAll('"', "'")
}
