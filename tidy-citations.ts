import type { SourceFile } from './tidy-rules.ts'

/* What a comment gives as its reason has to be there to be read: docs/contract.md, by its sections. */

const citation = /docs\/contract\.md(?:, (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?)?/g
const papers = 'contract|specification|design(?:\\.md)?'
const elsewhere = new RegExp(
  `\\b(?:${papers}),? \\(?sections? \\d|\\bissue #?\\d|\\bshared/(?:${papers})`,
  'gi',
)

/** The numbers of the sections of docs/contract.md, 2 and 4.5 among them. */
export function contractSections(page: string): Set<string> {
  return new Set([...page.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!))
}

/** Citations of sections that docs/contract.md does not have, and of papers that are not here. */
export function citationViolations({ path, text }: SourceFile, sections: ReadonlySet<string>): string[] {
  // The cases of these rules are no citations.
  if (/^tidy[\w.-]*\.ts$/.test(path)) return []
  const lines = text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
  const violations: string[] = []
  for (const [cited, ...numbers] of lines.matchAll(citation)) {
    const named = numbers.filter((number) => number !== undefined)
    if (named.length === 0) violations.push('cites docs/contract.md without a section')
    for (const number of named)
      if (!sections.has(number)) violations.push(`cites ${cited}: there is no section ${number}`)
  }
  for (const [cited] of lines.matchAll(elsewhere))
    violations.push(`cites "${cited}", which is not in this repository: docs/contract.md has sections`)
  return violations
}
