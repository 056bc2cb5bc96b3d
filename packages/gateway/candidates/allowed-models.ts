import { GatewayError } from '@turnpike/protocol'

/** A key's list of models, as its owner wrote it; null allows every model. */
export type AllowedModels = ReadonlySet<string> | null

/**
 * Whether the key's list allows this call. A list may name a model, or one version of it; the latter allows
 * no other version. An alias is allowed if its target is, or if the list names the alias itself.
 * @param model the model's identifier
 * @param asked the name that the caller used
 * @param target the alias's target, if that name is an alias
 */
export function mayUse(allowed: AllowedModels, model: string, asked: string, target = asked): boolean {
  if (allowed === null || allowed.has(model) || allowed.has(asked)) return true
  return allowed.has(target) || allowed.has(wholeName(model, target))
}

/** The name by which a key may call an allowed model: the alias, the model's own, or the version's. */
export function callableName(allowed: AllowedModels, model: string, asked: string, target = asked): string {
  if (target !== asked) return asked
  if (allowed === null || allowed.has(model)) return model
  return allowed.has(asked) ? asked : wholeName(model, asked)
}

export function notAllowed(model: string, param: string): GatewayError {
  const message = `This API key may not use the model "${model}".`
  return new GatewayError('permission_error', message, { param })
}

/** Adds the provider, which a caller may omit. */
function wholeName(model: string, asked: string): string {
  return model.slice(0, model.indexOf('/') + 1) + asked
}
