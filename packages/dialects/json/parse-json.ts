import { nestsDeeper } from './nesting.ts'

/**
 * No answer nests so deep, while to write what does takes more stack than there is: and that would be found
 * once the answer is paid.
 */
const mostLevels = 2_000

/**
 * The value of a JSON text; undefined where it is none, or nests too deep: what it is then, whoever needed it
 * says.
 */
export function parseJson(text: string): unknown {
  if (nestsDeeper(text, mostLevels)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not everybody needs it: the page of a proxy in a vendor's place is read as text.
    return undefined
  }
}
