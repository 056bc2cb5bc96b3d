import type { CatalogModel, Provider, RegionalPrices } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { inRegions } from './in-regions.ts'

const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' }
const own = { prompt: '0.000009', completion: '0.00001' }

function providerIn(...regions: string[]): Map<string, Provider> {
  const all = regions.map((region) => ({ name: 'cloud', region }) as Provider)
  return new Map([['cloud', { ...all[0]!, ...(all.length > 1 && { regions: all }) }]])
}

function modelWith(regional: RegionalPrices | undefined, more: object = {}): CatalogModel {
  return {
    id: 'cloud/m',
    pricing,
    upstreams: [{ provider: 'cloud', model: 'm' }],
    ...(regional !== undefined && { regional }),
    ...more,
  } as unknown as CatalogModel
}

const upstreamsOf = (model: CatalogModel, providers: Map<string, Provider>, models = [model]) =>
  inRegions(model, providers, new Map(models.map((one) => [one.id, one])))

describe('a model at a provider with several regions', () => {
  it('has an upstream in each of them, in their order', () => {
    const { upstreams } = upstreamsOf(modelWith(undefined), providerIn('b', 'a'))
    expect(upstreams).toEqual([
      { provider: 'cloud', model: 'm', region: 'b' },
      { provider: 'cloud', model: 'm', region: 'a' },
    ])
  })

  it('has no upstream where its price is not known, and cannot be called if that is everywhere', () => {
    const model = modelWith({ known: ['a'] })
    expect(upstreamsOf(model, providerIn('b', 'a')).upstreams.map(({ region }) => region)).toEqual(['a'])
    expect(upstreamsOf(model, providerIn('b', 'c')).pricing).toBeUndefined()
    expect(upstreamsOf(model, providerIn('b')).pricing).toBeUndefined()
  })

  it('costs exactly the known multiple of its price in each region', () => {
    const model = modelWith({ factor: { by: '1.1', except: ['global'] } })
    const { upstreams, pricing: shownPricing } = upstreamsOf(model, providerIn('eu-1', 'global'))
    expect(upstreams).toEqual([
      {
        provider: 'cloud',
        model: 'm',
        region: 'eu-1',
        pricing: { prompt: '0.0000033', completion: '0.0000165', input_cache_read: '0.00000033' },
      },
      { provider: 'cloud', model: 'm', region: 'global' },
    ])
    // Callers see the price of the first upstream. It is one object, so that its table is compiled once.
    expect(shownPricing).toBe(upstreams[0]!.pricing)
    expect(upstreamsOf(model, providerIn('eu-1')).pricing).toBe(shownPricing)
  })

  it("has the operator's price in every region", () => {
    const known = { known: ['a'] }
    const everywhere = modelWith(known, { upstreams: [{ provider: 'cloud', model: 'm', pricing: own }] })
    expect(upstreamsOf(everywhere, providerIn('a', 'b'), [modelWith(known)]).upstreams).toHaveLength(2)
    const one = { provider: 'cloud', model: 'm', region: 'b', pricing: own }
    expect(upstreamsOf(modelWith(known, { upstreams: [one] }), providerIn('a', 'b')).upstreams).toEqual([one])
  })

  it('is priced as the model that an upstream with another name serves', () => {
    const known = modelWith({ known: ['a'] })
    const alias = modelWith(undefined, {
      id: 'mine/x',
      upstreams: [{ provider: 'cloud', model: 'm', pricing }],
    })
    const { upstreams } = upstreamsOf(alias, providerIn('a', 'b'), [known, alias])
    expect(upstreams.map(({ region }) => region)).toEqual(['a'])
  })

  it('is unchanged if its provider has no regions', () => {
    const nowhere = new Map([['cloud', { name: 'cloud' } as Provider]])
    for (const model of [modelWith(undefined), modelWith({ factor: { by: '1.1', except: ['global'] } })])
      expect(upstreamsOf(model, nowhere)).toBe(model)
  })

  it('is not called if its region is not known, unless its operator sets a price', () => {
    const nowhere = new Map([['cloud', { name: 'cloud' } as Provider]])
    const known = modelWith({ known: ['a'] })
    expect(upstreamsOf(known, nowhere).pricing).toBeUndefined()
    const priced = modelWith(
      { known: ['a'] },
      { upstreams: [{ provider: 'cloud', model: 'm', pricing: own }] },
    )
    expect(upstreamsOf(priced, nowhere, [known])).toBe(priced)
  })
})
