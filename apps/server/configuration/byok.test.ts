import { expect, test } from 'vitest'
import { parseConfiguration } from './load.ts'
import { resolveConfiguration } from './resolve/resolve.ts'

const environment = { KEY: Buffer.alloc(32, 7).toString('base64') }

test('providers at their vendor’s own address accept own keys, others only if they are listed', () => {
  const { input } = parseConfiguration(
    `{ byok: { encryption_keys: ["\${KEY}"] }, providers: {
      openai: { api_keys: [k] }, xai: { own_keys_only: true },
      anthropic: { base_url: "https://proxy.example", api_keys: [k] },
      local: { style: openai, base_url: "http://127.0.0.1:11434/v1" } } }`,
    environment,
  )
  const { byok } = resolveConfiguration(input!, { file: null, directory: '/', environment: {} })
  expect(byok).toMatchObject({ providers: ['openai', 'xai'], fee: '0' })
})

test('a server of the operator accepts no own keys by default, because it checks no key', () => {
  const servers = 'openai: { api_keys: [k] }, ollama: {}, vllm: {}, ours: { vendor: vllm }'
  const providersOf = (byok: string): string[] | undefined => {
    const text = `{ byok: { encryption_keys: ["\${KEY}"] ${byok} }, providers: { ${servers} } }`
    const { input } = parseConfiguration(text, environment)
    return resolveConfiguration(input!, { file: null, directory: '/', environment: {} }).byok?.providers
  }
  expect(providersOf('')).toEqual(['openai'])
  // Unless the operator lists the server: a proxy in front of it may check keys.
  expect(providersOf(', providers: [vllm]')).toEqual(['vllm'])
})
