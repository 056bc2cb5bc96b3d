import { expect, test } from 'vitest'
import { parseConfiguration } from './load.ts'
import { resolveConfiguration } from './resolve/resolve.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const environment = { KEY: key }

function mistakesIn(text: string): string[] {
  const { mistakes } = parseConfiguration(text, environment)
  return mistakes.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each([
  'byok: { encryption_keys: ["${KEY}"] }',
  'byok: { encryption_keys: ["${KEY}"], fee_percent: "2.5" }',
  '{ byok: { encryption_keys: ["${KEY}"], providers: [openai] }, providers: { openai: {} } }',
  '{ byok: { encryption_keys: ["${KEY}"] }, providers: { openai: { own_keys_only: true } } }',
])('%s is valid', (text) => {
  expect(mistakesIn(text)).toEqual([])
})

test.each([
  ['byok: {}', /^byok.encryption_keys: missing/],
  ['byok: { encryption_keys: ["${KEY}", "${KEY}"] }', /encryption_keys.1: is listed twice/],
  ['byok: { encryption_keys: ["short"] }', /encryption_keys.0: expected 32 random bytes/],
  ['byok: { encryption_keys: ["${KEY}"], fee_percent: "101" }', /fee_percent: expected percent/],
  ['byok: { encryption_keys: ["${KEY}"], fee_percent: "-1" }', /fee_percent: expected percent/],
  [
    '{ byok: { encryption_keys: ["${KEY}"], providers: [nobody] }, providers: { openai: {} } }',
    /byok.providers.0: expected a provider of this configuration/,
  ],
  ['providers: { openai: { own_keys_only: true } }', /own_keys_only: needs byok.encryption_keys/],
  [
    '{ byok: { encryption_keys: ["${KEY}"] }, providers: { openai: { own_keys_only: true, api_keys: [k]} } }',
    /own_keys_only: remove api_keys/,
  ],
])('%s is rejected with a message that says what to do', (text, expected) => {
  expect(mistakesIn(text)).toEqual([expect.stringMatching(expected)])
  expect(mistakesIn(text).join(' ')).not.toContain(key)
})

test('providers at their vendor’s own address accept own keys, other providers only if they are listed', () => {
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

test('a server of the operator accepts no own keys by default: it checks no key, so any text would work', () => {
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
