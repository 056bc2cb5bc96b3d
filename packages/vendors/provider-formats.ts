import { vendorFormats, type FormatName } from '@turnpike/dialects'
import type { ModelUpstream, Provider } from './model.ts'

/**
 * The provider called in these formats: in the first, and for callers of the others in theirs.
 * @returns undefined if it is not known to speak any of them
 */
export function withFormats(provider: Provider, formats: readonly FormatName[]): Provider | undefined {
  const { inFormat: _usual, ...own } = provider
  const { providersByFormat = { [own.format]: own } } = own
  const [first, ...others] = formats.flatMap((format) => providersByFormat[format] ?? [])
  if (first === undefined || others.length === 0) return first
  const byCallers = others.map((other) => [vendorFormats[other.format].callers ?? other.format, other])
  const inFormat = Object.fromEntries(byCallers) as NonNullable<Provider['inFormat']>
  return { ...first, inFormat }
}

/**
 * The provider as one of its models is called there: in its region, and in the formats that the model speaks.
 * @returns undefined if it is not there, or not known to speak any of them
 */
export function forUpstream(
  provider: Provider,
  { region, formats }: Pick<ModelUpstream, 'region' | 'formats'>,
): Provider | undefined {
  const there =
    region === undefined || region === provider.region
      ? provider
      : provider.regions?.find((one) => one.region === region)
  return there === undefined || formats === undefined ? there : withFormats(there, formats)
}
