import { expect, test } from 'vitest'
import { resolveConfiguration } from './resolve/resolve.ts'
import type { ConfigurationInput } from './schema/schema.ts'

const resolved = (providers: NonNullable<ConfigurationInput['providers']>) =>
  resolveConfiguration({ providers }, { file: null, directory: '/', environment: {} })

test('an allow_unpriced field that no vendor bills by causes a warning', () => {
  const names = ['*', 'tools', 'web_search_option']
  const { providers, warnings } = resolved({ groq: { api_keys: ['k'], allow_unpriced: names } })
  expect(warnings).toEqual([expect.stringContaining('the provider groq allows "web_search_option" unpriced')])
  expect(providers[0]!.allowUnpriced).toEqual(new Set(names))
})

test('a provider bills the services of its vendor, or of the vendor at its address', () => {
  const { providers } = resolved({
    a: { style: 'openai', base_url: 'https://api.x.ai/v1' },
    b: { style: 'openai', base_url: 'http://10.0.0.1/v1' },
    vllm: {},
  })
  const paid = new Map(providers.map(({ name, paidFields }) => [name, paidFields]))
  const search = (name: string) => paid.get(name)!.find(({ field }) => field === 'search_parameters')
  expect(search('a')).toMatchObject({ chargedBy: 'web_search' })
  expect(search('b')).toBeDefined()
  expect(search('b')).not.toHaveProperty('chargedBy')
  expect(paid.get('vllm')).toEqual([])
  expect(paid.get('sandbox')).toEqual([])
})
