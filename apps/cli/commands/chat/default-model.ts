import { defaultModel as defaultOf, smallModel as smallOf } from '@turnpike/api'
import { modelsOfKey } from '../../api/key-api.ts'
import type { Context } from '../../context.ts'
import { exitCodes, Failure } from '../../failure.ts'

/**
 * Auto-routing if the gateway has it, otherwise a small model.
 * @throws {Failure} if it has neither
 */
export async function defaultModel(context: Context, key: string): Promise<string> {
  return requireModel(defaultOf(await modelsOfKey(context, key)))
}

/**
 * A model to try a gateway with.
 * @throws {Failure} if the key may call none
 */
export async function smallModel(context: Context, key: string): Promise<string> {
  return requireModel(smallOf(await modelsOfKey(context, key)))
}

function requireModel(model: string | undefined): string {
  if (model !== undefined) return model
  throw new Failure('The gateway has no models that this key may call.', {
    type: 'not_found_error',
    exitCode: exitCodes.user,
  })
}
