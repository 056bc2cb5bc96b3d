import type { Usage } from '@turnpike/protocol'
import { parseInputUsage } from '../../answers/input-usage.ts'

/** A vendor that reads the query again for each document only counts that in the total. */
export function parseUsage(raw: unknown): Usage | undefined {
  return parseInputUsage(raw, true)
}
