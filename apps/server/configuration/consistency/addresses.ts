import { missingParts, partsOf } from '@turnpike/vendors'
import { defaultBaseUrl, partsSaid, styleOf, vendorOf, type ProviderInput } from '../known-providers.ts'
import type { Path } from '../mistakes/mistake.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

interface Contradiction {
  path: Path
  message: string
}

/** By what an address is made of: the name that the configuration has for it. */
const settings = { region: 'regions', project: 'project', resource: 'resource' } as const

/** What is wrong in where a provider is. */
export function* ofAddress(name: string, provider: ProviderInput, path: Path): Generator<Contradiction> {
  yield* ofParts(name, provider, path)
  const style = styleOf(name, provider)
  if (provider.base_url !== undefined || style === 'sandbox') return
  if (defaultBaseUrl(name, provider) === undefined) yield { path, message: missing(name, provider) }
}

/** An upstream is in one of the regions that its provider is called in. */
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

/** What an address is not made of says nothing; beside one that is said whole, only which region it is in. */
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
    const said = { ...partsSaid(provider), region: provider.regions?.[0] }
    const names = missingParts(vendor.addresses, said)
      .map((part) => settings[part])
      .join(' and ')
    const isBegun = Object.values(said).some((part) => part !== undefined)
    if (isBegun || example === undefined)
      return `missing ${names}; it is part of the address of ${vendor.title}`
    return `missing base_url; ${vendor.title} has an address of your own, such as ${example}; or set ${names}`
  }
  return example === undefined
    ? `missing base_url; a provider of style ${styleOf(name, provider)} needs an address, unless its ` +
        'vendor is known'
    : `missing base_url; ${vendor!.title} has an address of your own, such as ${example}`
}
