import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseUsd } from '@turnpike/billing'
import { expect, test } from 'vitest'
import { findContradictions } from './consistency/consistency.ts'
import { loadConfiguration } from './load.ts'
import { resolveConfiguration } from './resolve/resolve.ts'
import type { ConfigurationInput } from './schema/schema.ts'

const resolved = (input: ConfigurationInput) =>
  resolveConfiguration(input, { file: null, directory: '/', environment: {} })

test('without configured tiers there are three, all at least as high as the burst of a key', () => {
  const { tiers, burstPerKeyPerSecond } = resolved({}).limits
  expect(tiers.map(({ name, lifetimeTopupPico }) => [name, lifetimeTopupPico])).toEqual([
    ['free', null],
    ['build', parseUsd('100')],
    ['scale', parseUsd('1000')],
  ])
  for (const tier of tiers) expect(tier.requestsPerMinute).toBeGreaterThanOrEqual(burstPerKeyPerSecond * 60)
})

test('configured tiers replace the built-in ones, and models may have limits of their own', () => {
  const { limits, models, redis } = resolved({
    redis: { url: 'rediss://user:word@cache.example:6380/2' },
    limits: {
      burst_per_key_per_second: 5,
      tiers: {
        free: { requests_per_minute: 60, models: { 'openai/gpt-5': { output_tokens_per_minute: 1_000 } } },
        gold: { lifetime_topup_usd: '12.5', input_tokens_per_minute: 9 },
        house: {},
      },
    },
    models: { 'openai/gpt-5': { limits: { requests_per_minute: 2 } } },
  })
  expect(limits).toEqual({
    burstPerKeyPerSecond: 5,
    burstBodyBytes: 2_097_152,
    tiers: [
      {
        name: 'free',
        requestsPerMinute: 60,
        lifetimeTopupPico: null,
        models: new Map([['openai/gpt-5', { outputTokensPerMinute: 1_000 }]]),
      },
      { name: 'gold', inputTokensPerMinute: 9, lifetimeTopupPico: parseUsd('12.5'), models: new Map() },
      { name: 'house', lifetimeTopupPico: null, models: new Map() },
    ],
  })
  expect(models[0]?.limits).toEqual({ requestsPerMinute: 2 })
  expect(redis).toEqual({ url: 'rediss://user:word@cache.example:6380/2', timeoutMs: 50 })
})

test.each([
  [{ gold: {} }, 'limits.tiers', 'missing free'],
  [{ free: { lifetime_topup_usd: '5' } }, 'limits.tiers.free.lifetime_topup_usd', 'start in this tier'],
  [
    { free: { models: { 'openia/gpt-5': { requests_per_minute: 1 } } } },
    'limits.tiers.free.models.openia/gpt-5',
    'unknown provider "openia"; did you mean "openai"?',
  ],
])('tiers that contradict each other are rejected: %j', (tiers, path, message) => {
  const [found, ...others] = findContradictions({ limits: { tiers } })
  expect([found?.path.join('.'), others]).toEqual([path, []])
  expect(found?.message).toContain(message)
})

test('several workers without Redis cause a warning, because each counts for itself', () => {
  const database = { url: 'postgres://db.example/turnpike' }
  const warnings = (input: ConfigurationInput): string[] =>
    resolved({ database, ...input }).warnings.filter((warning) => warning.includes('limits'))
  expect(warnings({ server: { workers: 4 } })).toEqual([expect.stringContaining('4 workers')])
  expect(warnings({ server: { workers: 4 }, redis: { url: 'redis://cache.example' } })).toEqual([])
  expect(warnings({})).toEqual([])
})

test.each([
  ['the file', undefined, 4],
  ['the command line, which takes precedence', 2, 2],
  ['the command line as one', 1, 1],
])('the number of workers comes from %s, with one warning', (_where, option, workers) => {
  const directory = mkdtempSync(join(tmpdir(), 'turnpike-'))
  try {
    writeFileSync(join(directory, 'turnpike.yaml'), 'server: { workers: 4 }')
    const loaded = loadConfiguration({ environment: {}, directory, workers: option })
    expect(loaded.configuration?.server.workers).toBe(workers)
    const separately = expect.stringContaining(`each of the ${workers} workers`) as string
    expect(loaded.configuration?.warnings).toEqual(workers === 1 ? [] : [separately])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
