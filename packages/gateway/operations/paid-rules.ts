import { findPaidValue, foldName, type PaidField, type Provider } from '@turnpike/vendors'

/** Names that were found to be no spelling of a paid field: clients send the same few again and again. */
const mostOtherNames = 1_000
const longestOtherName = 64

/** A provider's paid fields, to be found by the names that a request has. */
export interface PaidRules {
  byName: ReadonlyMap<string, readonly PaidField[]>
  /** By what is left of a name without case, underscores and hyphens: vendors may read either. */
  byFold: ReadonlySet<string>
  otherNames: Set<string>
  /** Of each of the tools. */
  tools: readonly PaidField[]
  /** Of parts of the messages. */
  file: PaidField | undefined
  audio: PaidField | undefined
  cacheControl: PaidField | undefined
}

/** Thought through once: providers are few, requests are many. */
const known = new WeakMap<Provider, PaidRules | undefined>()

/** Undefined: nothing costs more there, or the operator pays for it. */
export function paidRulesOf(provider: Provider): PaidRules | undefined {
  if (known.has(provider)) return known.get(provider)
  const rules = compileRules(provider)
  known.set(provider, rules)
  return rules
}

function compileRules({ paidFields, allowUnpriced }: Provider): PaidRules | undefined {
  const refused = allowUnpriced.has('*') ? [] : paidFields.filter(({ field }) => !allowUnpriced.has(field))
  if (refused.length === 0) return undefined
  const byName = Map.groupBy(
    refused.filter(({ field }) => field !== 'tools' && !field.startsWith('messages.')),
    ({ field }) => field,
  )
  const find = (field: string): PaidField | undefined => refused.find((one) => one.field === field)
  return {
    byName,
    byFold: new Set(Array.from(byName.keys(), foldName)),
    otherNames: new Set(),
    tools: refused.filter(({ field }) => field === 'tools'),
    file: find('messages.file'),
    audio: find('messages.input_audio'),
    cacheControl: find('messages.cache_control'),
  }
}

/** Whether somebody may read this name as that of a paid field. */
export function isSpellingOf({ byFold, otherNames }: PaidRules, name: string): boolean {
  if (otherNames.has(name)) return false
  if (byFold.has(foldName(name))) return true
  if (otherNames.size < mostOtherNames && name.length <= longestOtherName) otherNames.add(name)
  return false
}

/** The path of what costs more; undefined: nothing does. */
export function findPaidPart(value: unknown, fields: readonly PaidField[], path: string): string | undefined {
  for (const { free } of fields) {
    const dear = findPaidValue(value, free, path)
    if (dear !== undefined) return dear
  }
  return undefined
}

/** Moonshot's own are called so, whatever type they have: https://platform.kimi.ai/docs/pricing/tools. */
export const isVendors = (name: unknown): boolean => typeof name === 'string' && name.startsWith('$')
