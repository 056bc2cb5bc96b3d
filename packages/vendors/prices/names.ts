import { matches, type SourceMatch } from './price-source.ts'

/** What may stand behind a model's name in the name of one of its versions. */
const version = /^(-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-\d{3}|-latest|-beta)?$/

/**
 * Further names of a model, by what to call it at the vendor: its dated versions (`gpt-4o-2024-08-06` stays
 * so), and other spellings of its own name (`gpt-5-1` is `gpt-5.1`). Names of other products that the source
 * prices alike are none of them: only who lists them knows that the vendor has them.
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

/** Whether every dated version of the model has its prices, as the source's patterns say. */
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
