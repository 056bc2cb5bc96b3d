import type { PaidField, Provider } from '@turnpike/vendors'

/** A provider's paid fields, to be found by the names that a request has. */
export interface PaidRules {
  byName: ReadonlyMap<string, readonly PaidField[]>
  /** By what is left of a name without case, underscores and hyphens: vendors may read either. */
  byFold: ReadonlyMap<string, string>
  /** Of each of the tools. */
  tools: readonly PaidField[]
  /** Of parts of the messages. */
  file: PaidField | undefined
  cacheControl: PaidField | undefined
}

/** Thought through once: providers are few, requests are many. */
const known = new WeakMap<Provider, PaidRules | undefined>()

/** Undefined: nothing costs more there, or the operator pays for it. */
export function paidRulesOf(provider: Provider): PaidRules | undefined {
  if (known.has(provider)) return known.get(provider)
  const rules = compiled(provider)
  known.set(provider, rules)
  return rules
}

function compiled({ paidFields, allowUnpriced }: Provider): PaidRules | undefined {
  const refused = allowUnpriced.has('*') ? [] : paidFields.filter(({ field }) => !allowUnpriced.has(field))
  if (refused.length === 0) return undefined
  const byName = Map.groupBy(
    refused.filter(({ field }) => field !== 'tools' && !field.startsWith('messages.')),
    ({ field }) => field,
  )
  const find = (field: string): PaidField | undefined => refused.find((one) => one.field === field)
  return {
    byName,
    byFold: new Map([...byName.keys()].map((name) => [folded(name), name])),
    tools: refused.filter(({ field }) => field === 'tools'),
    file: find('messages.file'),
    cacheControl: find('messages.cache_control'),
  }
}

/**
 * Upper case first, which is what folds the long s and the Kelvin sign, as Go's readers of JSON do
 * (https://pkg.go.dev/encoding/json#Unmarshal).
 */
export function folded(name: string): string {
  return name.toUpperCase().toLowerCase().replace(/[_-]/g, '')
}
