import type { VendorQuirks } from '../../vendor-quirks.ts'

const openRouterFields = new Map([
  ['usage', 'include'],
  ['provider', 'require_parameters'],
])

/**
 * Whether a member of a request is a word of OpenRouter's that asks for no more than what the gateway does
 * itself. Vendors that have no such word refuse it, and are not sent it.
 */
export function isOpenRouterField(
  name: string,
  value: unknown,
  { takesOpenRouterWords }: VendorQuirks,
): boolean {
  const member = openRouterFields.get(name)
  if (member === undefined || takesOpenRouterWords) return false
  return typeof value === 'object' && value !== null && Object.keys(value).every((one) => one === member)
}
