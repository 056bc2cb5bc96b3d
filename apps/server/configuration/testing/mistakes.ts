import { parseConfiguration } from '../load.ts'
import { formatMistake } from '../mistakes/mistake.ts'

/** Returns what `check-config` prints for a text. */
export function mistakesIn(
  text: string,
  environment: Record<string, string> = {},
  directory?: string,
): string[] {
  const { mistakes } = parseConfiguration(text, environment, directory)
  return mistakes.map((mistake) => formatMistake('t.yaml', mistake))
}
