import { GatewayError } from '@turnpike/protocol'

/** A key's list of models, as its owner wrote them; null: every model. */
export type AllowedModels = ReadonlySet<string> | null

/**
 * A list may hold the model, or the very version that is asked for: then no other one of its versions. An
 * alias is allowed where what it means is, and where the list holds the alias itself.
 * @param model its identifier
 * @param asked the name that the caller has for it
 * @param meant what the name means, where it is an alias
 */
export function mayUse(allowed: AllowedModels, model: string, asked: string, meant = asked): boolean {
  if (allowed === null || allowed.has(model) || allowed.has(asked)) return true
  return allowed.has(meant) || allowed.has(wholeName(model, meant))
}

/**
 * The name by which a model that the key may use can be called with it: the alias, its own, or that of the
 * version.
 */
export function callableName(allowed: AllowedModels, model: string, asked: string, meant = asked): string {
  if (meant !== asked) return asked
  if (allowed === null || allowed.has(model)) return model
  return allowed.has(asked) ? asked : wholeName(model, asked)
}

export function notAllowed(model: string, param: string): GatewayError {
  const message = `This API key may not use the model "${model}".`
  return new GatewayError('permission_error', message, { param })
}

/** With the provider, which a caller may leave out. */
function wholeName(model: string, asked: string): string {
  return model.slice(0, model.indexOf('/') + 1) + asked
}
