import { vendorFormats, type FormatName } from '@turnpike/dialects'
import type { Provider } from './model.ts'

/**
 * The provider as it is called in these formats: in the first of them, and for callers of the others in
 * theirs.
 * @returns undefined where it is not known to speak any of them
 */
export function calledIn(provider: Provider, formats: readonly FormatName[]): Provider | undefined {
  const { inFormat: _usual, ...own } = provider
  const { spoken = { [own.format]: own } } = own
  const [first, ...others] = formats.flatMap((format) => spoken[format] ?? [])
  if (first === undefined || others.length === 0) return first
  const byCallers = others.map((other) => [vendorFormats[other.format].callers ?? other.format, other])
  const inFormat = Object.fromEntries(byCallers) as NonNullable<Provider['inFormat']>
  return { ...first, inFormat }
}
