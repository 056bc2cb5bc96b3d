import { readWithKey } from '../../api/key-api.ts'
import type { List } from '../../api/list.ts'
import type { Model } from '../../api/model.ts'
import type { Context } from '../../context.ts'
import { smallModel } from '../test/small-model.ts'

const autoModel = 'turnpike/auto'

/** Auto-routing where the gateway has it, else a small model. */
export async function defaultModel(context: Context, key: string): Promise<string> {
  const { data = [] } = await readWithKey<Partial<List<Model>>>(context, key, '/v1/models')
  return data.some(({ id }) => id === autoModel) ? autoModel : smallModel(context, key)
}
