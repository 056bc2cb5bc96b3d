import { compilePricing } from '@turnpike/billing'
import type { CatalogModel, Provider } from '@turnpike/vendors'
import { CandidateBook, type CandidateSources } from '../candidates/candidate-book.ts'
import { HealthBook } from '../candidates/health/health-book.ts'
import { keyCredentials } from '../upstream/credentials/key-credentials.ts'

/** A provider with only the fields that candidates need. */
export function testProvider(name: string, more: Partial<Provider> = {}): Provider {
  return { name, style: 'openai', format: 'openai-chat', apiKeys: [], ...more } as unknown as Provider
}

/** A model with only the fields that candidates need; `upstreams` are providers' names, or objects. */
export function testModel(
  id: string,
  upstreams: readonly (string | object)[],
  more: object = {},
): CatalogModel {
  return {
    id,
    operations: ['generate'],
    upstreams: upstreams.map((one) => ({
      model: 'm',
      ...(typeof one === 'string' ? { provider: one } : one),
    })),
    ...more,
  } as unknown as CatalogModel
}

/** Candidates of these providers' models; only `a/m` has a price, unless `sources` has others. */
export function testBook(
  providers: readonly Provider[],
  sources: Partial<CandidateSources> = {},
): CandidateBook {
  return new CandidateBook({
    prices: new Map([['a/m', compilePricing({ prompt: '1', completion: '1' }, '1.0')]]),
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    credentials: keyCredentials(providers),
    markup: '1.0',
    health: new HealthBook(undefined),
    ...sources,
  })
}
