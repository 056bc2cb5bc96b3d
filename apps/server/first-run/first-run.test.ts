import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWellFormedApiKey } from '@turnpike/identity'
import { openStorage, type Storage } from '@turnpike/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfiguration } from '../configuration/load.ts'
import { banner, type BannerFacts } from './banner.ts'
import { ensureDemoAccount, findActiveDemo } from './demo.ts'
import { internalSecretOf, refusalToExpose } from './exposure.ts'
import { ensureSecret, readSecret } from './generated-secret.ts'

let parent: string
let dataDir: string
let storage: Storage | undefined

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'turnpike-'))
  dataDir = join(parent, 'data')
})
afterEach(async () => {
  await storage?.close()
  storage = undefined
  rmSync(parent, { recursive: true })
})

async function open(): Promise<Storage> {
  storage = await openStorage({ engine: 'sqlite', path: join(parent, 'turnpike.sqlite') })
  return storage
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('a generated secret is readable only by its owner, and does not change', () => {
  const secret = ensureSecret(dataDir, 'internal_secret')
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(ensureSecret(dataDir, 'internal_secret')).toBe(secret)
  expect(ensureSecret(dataDir, 'another')).not.toBe(secret)
  expect(readdirSync(dataDir).sort()).toEqual(['another', 'internal_secret'])
  if (process.platform === 'win32') return
  expect(mode(dataDir)).toBe('700')
  expect(mode(join(dataDir, 'internal_secret'))).toBe('600')
})

test('a secret that another process creates meanwhile is used', () => {
  const secret = ensureSecret(dataDir, 'name', () => {
    writeFileSync(join(dataDir, 'name'), 'theirs\n', { mode: 0o644 })
    return 'ours'
  })
  expect(secret).toBe('theirs')
  expect(readdirSync(dataDir)).toEqual(['name'])
  if (process.platform !== 'win32') expect(mode(join(dataDir, 'name'))).toBe('600')
})

test.skipIf(process.platform === 'win32')(
  'the target of a link keeps its mode, because it may belong to somebody else',
  () => {
    const elsewhere = join(parent, 'elsewhere')
    writeFileSync(elsewhere, 'x\n', { mode: 0o644 })
    symlinkSync(elsewhere, join(parent, 'name'))
    expect(readSecret(parent, 'name')).toBe('x')
    expect(mode(elsewhere)).toBe('644')
  },
)

test('an empty secret is rejected with its file name, and a missing one is undefined', () => {
  ensureSecret(dataDir, 'name')
  writeFileSync(join(dataDir, 'name'), '\n')
  expect(() => ensureSecret(dataDir, 'name')).toThrow(/name is empty: remove it/)
  expect(readSecret(dataDir, 'nothing')).toBeUndefined()
})

test('the demo account is created once, with one key and 5 USD', async () => {
  const stores = await open()
  const first = await ensureDemoAccount(stores, dataDir, 1000)
  expect(isWellFormedApiKey(first!.raw)).toBe(true)
  expect(await ensureDemoAccount(stores, dataDir, 2000)).toEqual(first)
  expect(await findActiveDemo(stores.apiKeys, dataDir)).toEqual(first)
  const { rows } = await stores.accounts.list({ limit: 10 })
  expect(rows.map(({ displayName, balancePico }) => [displayName, balancePico])).toEqual([
    ['Demo', 5_000_000_000_000n],
  ])
  const keys = await stores.apiKeys.list(first!.accountId, { limit: 10 })
  expect(keys.rows.map(({ keyPrefix, name }) => [keyPrefix, name])).toEqual([
    [first!.raw.slice(0, 16), 'demo'],
  ])
  const transfers = await stores.ledger.list(first!.accountId, { limit: 10 })
  expect(transfers.rows.map(({ kind }) => kind)).toEqual(['grant'])
})

test('the next start finishes what a crash left half done', async () => {
  const stores = await open()
  const failing = {
    ...stores,
    ledger: { ...stores.ledger, move: () => Promise.reject(new Error('cut off')) },
  }
  await expect(ensureDemoAccount(failing, dataDir, 1000)).rejects.toThrow('cut off')
  const demo = await ensureDemoAccount(stores, dataDir, 2000)
  expect((await stores.accounts.find(demo!.accountId))?.balancePico).toBe(5_000_000_000_000n)
  expect((await stores.apiKeys.list(demo!.accountId, { limit: 10 })).rows).toHaveLength(1)
})

test('a revoked demo key is not replaced', async () => {
  const stores = await open()
  const demo = await ensureDemoAccount(stores, dataDir, 1000)
  await stores.apiKeys.revoke(demo!.accountId, demo!.keyId, 2000)
  expect(await ensureDemoAccount(stores, dataDir, 3000)).toBeUndefined()
  expect(await findActiveDemo(stores.apiKeys, dataDir)).toBeUndefined()
})

test('a lost data directory gives the demo account a new key, but no second credit', async () => {
  const stores = await open()
  const first = await ensureDemoAccount(stores, dataDir, 1000)
  rmSync(dataDir, { recursive: true })
  const second = await ensureDemoAccount(stores, dataDir, 2000)
  expect(second!.accountId).toBe(first!.accountId)
  expect(second!.raw).not.toBe(first!.raw)
  expect((await stores.accounts.find(first!.accountId))?.balancePico).toBe(5_000_000_000_000n)
})

function configured(yaml: string) {
  writeFileSync(join(parent, 'turnpike.yaml'), yaml)
  const { configuration } = loadConfiguration({ environment: {}, directory: parent })
  return { ...configuration!, dataDir }
}

const demo = { accountId: 'acct_1', keyId: 'key_1', raw: 'sk-turnpike-x' }

test.each([
  ['server: { host: 127.0.0.1 }', demo, undefined],
  ['server: { host: "::1" }', demo, undefined],
  ['server: { host: localhost }', demo, undefined],
  [
    'server: { host: 0.0.0.0 }',
    undefined,
    /admin\.internal_secret in turnpike\.yaml.*or set server\.host to 127/,
  ],
  ['server: { host: "::" }', undefined, /admin\.internal_secret/],
  ['server: { host: 10.0.0.7 }\nadmin: { internal_secret: 0123456789abcdef }', undefined, undefined],
  [
    'server: { host: 0.0.0.0 }\nadmin: { internal_secret: 0123456789abcdef }',
    demo,
    /demo key is active\. .*revoke it: curl -X DELETE .*\/acct_1\/keys\/key_1 .*or set data_dir/,
  ],
])('what a first run creates is not exposed: %s', (yaml, activeDemo, expected) => {
  const refusal = refusalToExpose(configured(yaml), activeDemo)
  if (expected === undefined) expect(refusal).toBeUndefined()
  else expect(refusal).toMatch(expected)
})

test('the internal secret is the configured one, else the generated one', () => {
  expect(internalSecretOf(configured('admin: { internal_secret: 0123456789abcdef }'))).toBe(
    '0123456789abcdef',
  )
  const generated = internalSecretOf(configured('{}'))
  expect(readFileSync(join(dataDir, 'internal_secret'), 'utf8').trim()).toBe(generated)
})

const facts: BannerFacts = {
  version: '0.1.0',
  publicUrl: 'http://127.0.0.1:8787',
  dataDir: '.turnpike',
  database: 'SQLite',
  workers: 1,
  file: null,
  providers: ['openai', 'sandbox'],
  demoKey: `sk-turnpike-${'x'.repeat(38)}`,
  hasSandbox: true,
  vendorModel: 'openai/gpt-5-mini',
  internalSecretFile: '.turnpike/internal_secret',
  warnings: ['ANTHROPIC_API_KEY is set, but the provider anthropic is not available yet'],
}

test('the banner has a first request to paste and fits the screen', () => {
  const text = banner(facts)
  expect(text).toContain(`-H "authorization: Bearer ${facts.demoKey}"`)
  expect(text).toContain('"model": "sandbox/echo"')
  expect(text).toContain('openai/gpt-5-mini')
  expect(text).toContain('! ANTHROPIC_API_KEY')
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})

test('without the sandbox, the banner shows a real model; without any model, it shows no request', () => {
  const real = banner({ ...facts, hasSandbox: false, demoKey: undefined })
  expect(real).toContain('"model": "openai/gpt-5-mini"')
  expect(real).toContain('Bearer <your API key>')
  expect(banner({ ...facts, hasSandbox: false, vendorModel: undefined })).not.toContain('curl')
})
