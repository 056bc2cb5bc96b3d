import { modelsOfKey } from '../../api/key-api.ts'
import type { Context } from '../../context.ts'
import { smallModel } from '../test/small-model.ts'

const autoModel = 'turnpike/auto'

/** Auto-routing where the gateway has it, else a small model. */
export async function defaultModel(context: Context, key: string): Promise<string> {
  const models = await modelsOfKey(context, key)
  return models.some(({ id }) => id === autoModel) ? autoModel : smallModel(models)
}
