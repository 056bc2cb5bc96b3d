import { invalidRequest } from '@turnpike/protocol'
import type { ModelOverride } from './configuration.ts'
import { loadConfiguration } from './load.ts'
import { formatMistake } from './mistakes/mistake.ts'

/**
 * Reads the configuration's models again. All other changes in it need a restart.
 * @throws {GatewayError} 400 with every mistake of the configuration
 */
export function reloadModels(options: Parameters<typeof loadConfiguration>[0]): ModelOverride[] {
  const loaded = loadConfiguration(options)
  if (loaded.configuration !== undefined) return loaded.configuration.models
  const mistakes = loaded.mistakes.map((mistake) => formatMistake(loaded.file, mistake))
  throw invalidRequest(undefined, `The configuration has mistakes:\n${mistakes.join('\n')}`)
}
