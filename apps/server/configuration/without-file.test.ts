import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfiguration } from './load.ts'

const directory = mkdtempSync(join(tmpdir(), 'turnpike-'))
afterAll(() => rmSync(directory, { recursive: true }))

const embeddedIdentity = {
  name: 'oidc',
  external: null,
  resource: null,
  registration: 'open',
  allowedEmailDomains: [],
  maxOrganizations: 10,
  roles: null,
}

const absent = {
  file: null,
  databaseUrl: null,
  redis: null,
  receiptIssuer: null,
  responses: null,
  byok: null,
  mail: null,
  autoTopup: true,
}

const noKeys = { allowedNetworks: [], encryptionKeys: [] }

const usualPromptLog = {
  maxDays: 30,
  maxBytes: 262_144,
  maxAccountBytes: 268_435_456,
  encryptionKeys: undefined,
  patterns: [],
}

const usualBilling = {
  markup: '1.0',
  topup: { minPico: 5_000_000_000_000n, maxPico: 10_000_000_000_000_000n },
  leaseMs: 120_000,
  durability: 'process',
  readOnMs: 60_000,
  verifyEveryMs: 86_400_000,
}

test('without a file, the gateway uses loopback, the embedded database and the sandbox', () => {
  expect(loadConfiguration({ environment: {}, directory }).configuration).toEqual({
    ...absent,
    webhooks: noKeys,
    dashboard: { publicModels: false },
    server: {
      host: '127.0.0.1',
      port: 8787,
      publicUrl: 'http://127.0.0.1:8787',
      allowedHosts: [],
      atAnyAddress: false,
      trustedProxies: [],
      maxBodyBytes: 33_554_432,
      maxHeaderBytes: 32_768,
      bodyMs: 10_000,
      drainMs: 30_000,
      drainDelayMs: 0,
      detachesStreams: true,
      workers: 1,
    },
    cors: { allowedOrigins: ['*'] },
    overload: expect.objectContaining({ maxRequests: 10_000, maxEventLoopDelayMs: 500 }) as object,
    dataDir: join(directory, '.turnpike'),
    providers: [
      expect.objectContaining({
        name: 'sandbox',
        style: 'sandbox',
        format: 'openai-chat',
        baseUrl: 'http://sandbox.invalid/v1',
        paths: {},
        query: '',
        keyHeader: { header: 'authorization', prefix: 'Bearer ' },
        headers: {},
        takesStreamOptions: true,
        refusesReasoning: false,
        refusesDeveloper: false,
        takesOpenRouterWords: false,
        paidFields: [],
        allowUnpriced: new Set(),
        unaskedSearches: 0,
        apiKeys: [],
        allowedReferences: [],
        unsupportedFields: 'refuse',
        timeouts: { connectMs: 5000, firstByteMs: 300_000, idleMs: 120_000, totalMs: 900_000 },
      }),
    ],
    models: [],
    prices: { file: null, url: null, refreshMs: 86_400_000 },
    billing: usualBilling,
    routing: {
      auto: { tiers: {}, deltas: expect.any(Object), baselineModel: null, calibration: 'off' },
      order: 'listed',
      breaker: { failures: 5, restMs: 1_000, longestBackoffMs: 60_000, longestRestMs: 600_000, probes: 3 },
    },
    usage: { retentionDays: 400 },
    promptLog: usualPromptLog,
    telemetry: { metricsPort: null, accessLog: false, traces: null },
    limits: { burstPerKeyPerSecond: 10, burstBodyBytes: 2_097_152, tiers: expect.any(Array) },
    identity: embeddedIdentity,
    mcp: { publicUrl: null, clients: { documents: true, registration: true } },
    payments: { processor: 'sandbox' },
    admin: { internalSecret: null, operators: [] },
    warnings: [],
  })
})
