import type { Usage } from '@turnpike/protocol'
import { parseInputUsage } from '../../answers/input-usage.ts'

/** A vendor that reads the query once for each document tells that in the total alone. */
export function parseUsage(raw: unknown): Usage | undefined {
  return parseInputUsage(raw, true)
}
