import type { Path } from './mistake.ts'
import type { ConfigurationInput } from './schema.ts'

const message = 'not available yet in this version of Turnpike: take it out of the configuration'

/** Sections that are valid but not built yet. The issue that builds one takes its line out. */
const sections: { path: Path; isUsed: (input: ConfigurationInput) => boolean }[] = []

/** What the configuration uses and this version does not have. */
export function findUnavailable(input: ConfigurationInput): { path: Path; message: string }[] {
  return sections.filter(({ isUsed }) => isUsed(input)).map(({ path }) => ({ path, message }))
}
