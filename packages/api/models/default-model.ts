import type { Model } from './model.ts'
import { smallModel } from './small-model.ts'

const autoModel = 'turnpike/auto'

/** Auto-routing if the gateway has it, otherwise a small model; undefined if there is none. */
export function defaultModel(models: readonly Model[]): string | undefined {
  return models.some(({ id }) => id === autoModel) ? autoModel : smallModel(models)
}
