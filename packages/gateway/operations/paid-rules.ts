import { findPaidValue, foldName, type PaidField, type Provider } from '@turnpike/vendors'

/** How many other names to remember as unpaid: clients send the same few again and again. */
const mostOtherNames = 1_000
const longestOtherName = 64

/** A provider's paid fields, for look-ups by the names in a request. */
export interface PaidRules {
  byName: ReadonlyMap<string, readonly PaidField[]>
  /** By name without case, underscores and hyphens, since vendors may accept any spelling. */
  byFold: ReadonlySet<string>
  otherNames: Set<string>
  /** Paid fields within each tool. */
  tools: readonly PaidField[]
  /** A paid field within message parts. */
  file: PaidField | undefined
  audio: PaidField | undefined
  cacheControl: PaidField | undefined
}

/** Computed once: providers are few, requests are many. */
const known = new WeakMap<Provider, PaidRules | undefined>()

/** Undefined if nothing costs extra there, or the operator pays for it. */
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

/** Whether a vendor may read this name as a paid field. */
export function isSpellingOf({ byFold, otherNames }: PaidRules, name: string): boolean {
  if (otherNames.has(name)) return false
  if (byFold.has(foldName(name))) return true
  if (otherNames.size < mostOtherNames && name.length <= longestOtherName) otherNames.add(name)
  return false
}

/** The path of the part that costs extra; undefined if there is none. */
export function findPaidPart(value: unknown, fields: readonly PaidField[], path: string): string | undefined {
  for (const { free } of fields) {
    const dear = findPaidValue(value, free, path)
    if (dear !== undefined) return dear
  }
  return undefined
}

/** Moonshot's own tools have such names, whatever their type: https://platform.kimi.ai/docs/pricing/tools. */
export const isVendors = (name: unknown): boolean => typeof name === 'string' && name.startsWith('$')
