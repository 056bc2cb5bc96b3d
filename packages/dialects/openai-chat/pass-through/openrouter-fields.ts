import type { VendorQuirks } from '../../vendor-quirks.ts'

const openRouterFields = new Map([
  ['usage', 'include'],
  ['provider', 'require_parameters'],
])

/**
 * Whether a member of a request is an OpenRouter field that only asks for what the gateway does itself. It is
 * not sent to vendors that do not know it, since they refuse it.
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
