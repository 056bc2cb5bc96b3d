import type { VendorQuirks } from '../../vendor-quirks.ts'

const heard = new Map([
  ['usage', 'include'],
  ['provider', 'require_parameters'],
])

/**
 * Whether a member of a request is a word of OpenRouter's that asks for no more than what the gateway does
 * itself. Vendors that have no such word refuse it, and are not sent it.
 */
export function isHeard(name: string, value: unknown, { takesOpenRouterWords }: VendorQuirks): boolean {
  const member = heard.get(name)
  if (member === undefined || takesOpenRouterWords) return false
  return typeof value === 'object' && value !== null && Object.keys(value).every((one) => one === member)
}
