import type { SourceFile } from './tidy-rules.ts'

/* Checks the sources that comments cite: every cited section of docs/contract.md must exist. */

const citation = /docs\/contract\.md(?:, (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?)?/g
const papers = 'contract|specification|design(?:\\.md)?'
const elsewhere = new RegExp(
  `\\b(?:${papers}),? \\(?sections? \\d|\\bissue #?\\d|\\bshared/(?:${papers})`,
  'gi',
)

/** The numbers of the sections of docs/contract.md, such as 2 and 4.5. */
export function contractSections(page: string): Set<string> {
  return new Set([...page.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!))
}

/** Citations of sections that docs/contract.md does not have, and of documents outside this repository. */
export function citationViolations({ path, text }: SourceFile, sections: ReadonlySet<string>): string[] {
  // The examples in the tests of these rules are not citations.
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
