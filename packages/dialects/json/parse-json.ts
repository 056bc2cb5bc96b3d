import { nestsDeeper } from './nesting.ts'

/** No real answer nests this deep. Writing a deeper one would overflow the stack, after it was paid for. */
const mostLevels = 2_000

/** The value of a JSON text. Undefined if it is not JSON or nests too deep: the caller handles that. */
export function parseJson(text: string): unknown {
  if (nestsDeeper(text, mostLevels)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not every caller requires JSON: a proxy's page instead of a vendor's answer is read as text.
    return undefined
  }
}
