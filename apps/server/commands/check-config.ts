import { loadConfiguration } from '../configuration/load.ts'
import { formatMistake } from '../configuration/mistakes/mistake.ts'

/** `turnpike-gateway check-config`: prints one mistake per line, or `OK`. Returns the exit code. */
export function checkConfig(
  options: Parameters<typeof loadConfiguration>[0],
  print: (text: string) => void,
): number {
  const loaded = loadConfiguration(options)
  if (loaded.configuration === undefined) {
    for (const mistake of loaded.mistakes) print(`${formatMistake(loaded.file, mistake)}\n`)
    return 1
  }
  for (const warning of loaded.configuration.warnings) print(`warning: ${warning}\n`)
  print('OK\n')
  return 0
}
