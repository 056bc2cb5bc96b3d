import type { Model } from './model.ts'
import { smallModel } from './small-model.ts'

const autoModel = 'turnpike/auto'

/** Auto-routing where the gateway has it, else a small model; undefined where there is none. */
export function defaultModel(models: readonly Model[]): string | undefined {
  return models.some(({ id }) => id === autoModel) ? autoModel : smallModel(models)
}
