import { GatewayError } from '@turnpike/protocol'

/** A key's list of models, as its owner wrote it; null allows every model. */
export type AllowedModels = ReadonlySet<string> | null

/**
 * Whether the key's list allows this call. A list may name a model, or one version of it; the latter allows
 * no other version. An alias is allowed if its target is, or if the list names the alias itself.
 * @param model the model's identifier
 * @param name the name that the caller used
 * @param target the alias's target, if that name is an alias
 */
export function mayUse(allowed: AllowedModels, model: string, name: string, target = name): boolean {
  if (allowed === null || allowed.has(model) || allowed.has(name)) return true
  return allowed.has(target) || allowed.has(wholeName(model, target))
}

/** The name by which a key may call an allowed model: the alias, the model's own, or the version's. */
export function callableName(allowed: AllowedModels, model: string, name: string, target = name): string {
  if (target !== name) return name
  if (allowed === null || allowed.has(model)) return model
  return allowed.has(name) ? name : wholeName(model, name)
}

export function notAllowed(model: string, param: string): GatewayError {
  const message = `This API key may not use the model "${model}".`
  return new GatewayError('permission_error', message, { param })
}

/** Adds the provider, which a caller may omit. */
function wholeName(model: string, name: string): string {
  return model.slice(0, model.indexOf('/') + 1) + name
}
