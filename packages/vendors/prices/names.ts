import { matches, type SourceMatch } from './price-source.ts'

/** What may follow a model's name in the name of one of its versions. */
const version = /^(-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-\d{3}|-latest|-beta)?$/

/**
 * Further names of a model, and what to call it at the vendor: its dated versions (`gpt-4o-2024-08-06`
 * remains one), and other spellings of its own name (`gpt-5-1` becomes `gpt-5.1`). Other products with the
 * same price in the source are not included: only a vendor's own list shows whether it has them.
 */
export function aliasesOf(id: string, match: SourceMatch): Record<string, string> {
  const aliases: Record<string, string> = {}
  for (const name of equalNames(match)) {
    if (name === id || spelling(name.slice(0, id.length)) !== spelling(id)) continue
    const rest = name.slice(id.length)
    if (version.test(rest)) aliases[name] = id + rest
  }
  return aliases
}

/** Whether every dated version of the model has its prices, according to the source's patterns. */
export function isDated(id: string, match: SourceMatch): boolean {
  return matches(match, `${id}-20991231`) || matches(match, `${id}-2099-12-31`)
}

function equalNames(match: SourceMatch): string[] {
  if ('or' in match) return match.or.flatMap(equalNames)
  return 'equals' in match ? [match.equals] : []
}

function spelling(name: string): string {
  return name.toLowerCase().replaceAll('.', '-')
}
