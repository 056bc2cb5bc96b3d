import { missingParts, partsOf } from '@turnpike/vendors'
import { defaultBaseUrl, partsSaid, styleOf, vendorOf, type ProviderInput } from '../known-providers.ts'
import type { Path } from '../mistakes/mistake.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

interface Contradiction {
  path: Path
  message: string
}

/** The configuration's key for each part of an address. */
const settings = { region: 'regions', project: 'project', resource: 'resource' } as const

/** Finds mistakes in a provider's address. */
export function* ofAddress(name: string, provider: ProviderInput, path: Path): Generator<Contradiction> {
  yield* ofParts(name, provider, path)
  const style = styleOf(name, provider)
  if (provider.base_url !== undefined || style === 'sandbox') return
  if (defaultBaseUrl(name, provider) === undefined) yield { path, message: missing(name, provider) }
}

/** Finds upstreams in a region in which their provider is not called. */
export function* findWrongRegions({ models, providers }: ConfigurationInput): Generator<Contradiction> {
  for (const [id, { upstreams = [] }] of Object.entries(models ?? {})) {
    for (const [index, { provider: name, region }] of upstreams.entries()) {
      if (region === undefined) continue
      const provider = providers?.[name]
      const regions = provider === undefined || provider === false ? [] : (provider.regions ?? [])
      if (regions.includes(region)) continue
      const there = regions.length === 0 ? 'which has none' : `which are ${regions.join(', ')}`
      const message = `is not one of the regions of the provider ${name}, ${there}`
      yield { path: ['models', id, 'upstreams', index, 'region'], message }
    }
  }
}

/** Finds parts that are missing or have no effect. Beside a complete `base_url`, only the region has one. */
function* ofParts(name: string, provider: ProviderInput, path: Path): Generator<Contradiction> {
  const vendor = vendorOf(name, provider)
  const parts = partsOf(vendor?.addresses ?? [])
  const { regions = [], base_url: baseUrl } = provider
  for (const part of ['region', 'project', 'resource'] as const) {
    const setting = settings[part]
    if (provider[setting] === undefined) continue
    if (!parts.includes(part))
      yield {
        path: [...path, setting],
        message: `${vendor?.title ?? name} does not support ${setting}: leave it out`,
      }
    else if (baseUrl !== undefined && part !== 'region')
      yield { path: [...path, setting], message: 'cannot be combined with base_url: remove one of them' }
  }
  if (baseUrl !== undefined && regions.length > 1)
    yield {
      path: [...path, 'regions'],
      message: 'base_url is a single address: remove it, or list a single region',
    }
  const twice = regions.findIndex((region, index) => regions.indexOf(region) < index)
  if (twice !== -1) yield { path: [...path, 'regions', twice], message: 'is listed twice' }
}

function missing(name: string, provider: ProviderInput): string {
  const vendor = vendorOf(name, provider)
  const example = vendor?.exampleBaseUrl
  if (vendor?.addresses !== undefined) {
    const configured = { ...partsSaid(provider), region: provider.regions?.[0] }
    const names = missingParts(vendor.addresses, configured)
      .map((part) => settings[part])
      .join(' and ')
    const isBegun = Object.values(configured).some((part) => part !== undefined)
    if (isBegun || example === undefined)
      return `missing ${names}; it is part of the address of ${vendor.title}`
    return `missing base_url; ${vendor.title} has an address of your own, such as ${example}; or set ${names}`
  }
  return example === undefined
    ? `missing base_url; a provider of style ${styleOf(name, provider)} needs an address, unless its ` +
        'vendor is known'
    : `missing base_url; ${vendor!.title} has an address of your own, such as ${example}`
}
