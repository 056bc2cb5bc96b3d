import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseUsd } from '@turnpike/billing'
import { newApiKey } from '@turnpike/identity'
import type { Configuration } from '../../apps/server/configuration/configuration.ts'
import { resolveConfiguration } from '../../apps/server/configuration/resolve/resolve.ts'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { openGatewayNode, type GatewayNode } from '../../apps/server/gateway-node.ts'
import { noLimits } from './no-limits.ts'

export interface TestNodeOptions {
  /** As in `turnpike.yaml`. */
  input?: ConfigurationInput
  /** Default: SQLite in the node's own folder. */
  databaseUrl?: string | undefined
  /** Makes it one of several workers on `dataDir`'s database, whose process listens at this socket. */
  worker?: { number: number; databaseSocket: string }
  /** Default: a free one. */
  port?: number
  /** Default: a new folder, which is removed with the node. */
  dataDir?: string
}

export interface TestKey {
  accountId: string
  id: string
  raw: string
}

export interface LogLine {
  level: 'info' | 'warn' | 'error' | 'fatal'
  fields: Record<string, unknown>
  message: string
}

export const internalSecret = 'secret of a test'

interface PostOptions {
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** A gateway for one test, in this process: real stores, real sockets, a free port. */
export class TestNode {
  readonly log: LogLine[] = []
  #node: GatewayNode | undefined
  #port = 0
  #dataDir = ''
  #ownsDataDir = false
  #references = 0

  async start(options: TestNodeOptions = {}): Promise<void> {
    this.#ownsDataDir = options.dataDir === undefined
    this.#dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'turnpike-test-'))
    const write = (level: LogLine['level']) => (fields: Record<string, unknown>, message: string) => {
      this.log.push({ level, fields, message })
    }
    this.#node = await openGatewayNode(configurationOf(options, this.#dataDir), internalSecret, {
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      fatal: write('fatal'),
    })
    this.#port = await this.#node.listen()
  }

  get origin(): string {
    if (this.#port === 0) throw new Error('the node has not been started')
    return `http://127.0.0.1:${this.#port}`
  }

  get dataDir(): string {
    return this.#dataDir
  }

  /** The base URL for an SDK. */
  get baseUrl(): string {
    return `${this.origin}/v1`
  }

  get storage(): GatewayNode['storage'] {
    return this.#running().storage
  }

  /** A key of a new account, or of the given one, with this much credit. */
  async createKey(
    options: { creditUsd?: string; accountId?: string; allowedModels?: string[]; drawsOn?: string } = {},
  ): Promise<TestKey> {
    const nowMs = Date.now()
    const { accounts, apiKeys, ledger } = this.storage
    const email = `${newApiKey().prefix}@${Math.random()}.test`
    const accountId =
      options.accountId ?? (await accounts.provision({ email, tier: 'free' }, nowMs)).account.id
    const { raw, prefix, hash } = newApiKey()
    const key = await apiKeys.create(
      {
        accountId,
        name: 'test',
        keyPrefix: prefix,
        keyHash: hash,
        expiresAtMs: null,
        allowedModels: options.allowedModels ?? null,
        spendLimitPico: null,
        spendLimitPeriod: null,
        drawsOn: options.drawsOn ?? null,
      },
      nowMs,
    )
    const amountPico = parseUsd(options.creditUsd ?? (options.drawsOn === undefined ? '100' : '0'))
    if (amountPico > 0n) {
      const reference = `test:${raw.slice(-8)}:${this.#references++}`
      await ledger.move(
        { accountId, keyId: key.id, kind: 'grant', amountPico, reference, reason: 'test' },
        nowMs,
      )
    }
    return { accountId, id: key.id, raw }
  }

  /** A chat completion, sent without an SDK. */
  chat(key: TestKey, body: unknown, options: PostOptions = {}): Promise<Response> {
    return this.post(key, '/chat/completions', body, options)
  }

  /** A POST to the API; the path starts after `/v1`. */
  post(key: TestKey, path: string, body: unknown, options: PostOptions = {}): Promise<Response> {
    return this.postTo(key, `/v1${path}`, body, options)
  }

  /** A POST to any path of the gateway. */
  postTo(key: TestKey, path: string, body: unknown, options: PostOptions = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json', ...options.headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  }

  /** The answer of an admin endpoint; the path starts after `/api/v1/admin`. */
  async admin<Body>(path: string, init: { method?: string; body?: unknown } = {}): Promise<Body> {
    const response = await fetch(`${this.origin}/api/v1/admin${path}`, {
      method: init.method ?? 'GET',
      headers: { 'x-internal-secret': internalSecret, 'content-type': 'application/json' },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Body
  }

  metrics(): Promise<Response> {
    return fetch(`${this.origin}/metrics`, { headers: { 'x-internal-secret': internalSecret } })
  }

  async stop(): Promise<void> {
    await this.#running().stop()
    if (this.#ownsDataDir) rmSync(this.#dataDir, { recursive: true, force: true })
  }

  #running(): GatewayNode {
    if (this.#node === undefined) throw new Error('the node has not been started')
    return this.#node
  }
}

export async function startTestNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const node = new TestNode()
  await node.start(options)
  return node
}

function configurationOf(options: TestNodeOptions, dataDir: string): Configuration {
  const configuration: Configuration = {
    ...resolveConfiguration(
      { limits: noLimits, ...unhurried(restless(options.input ?? {})) },
      { file: null, directory: dataDir, environment: {} },
    ),
    dataDir,
    databaseUrl: options.databaseUrl ?? null,
    ...(options.worker && { worker: options.worker.number, databaseSocket: options.worker.databaseSocket }),
  }
  configuration.server.port = options.port ?? 0
  return configuration
}

/** Disables the circuit breakers: a test's vendor fails on purpose, which must not affect the next test. */
function restless(input: ConfigurationInput): ConfigurationInput {
  return { ...input, routing: { breaker: { enabled: false }, ...input.routing } }
}

/**
 * Raises the limit of event loop delay from which the gateway refuses requests: clients, vendor and gateway
 * share one event loop, which a busy machine may block for long.
 */
function unhurried(input: ConfigurationInput): ConfigurationInput {
  return { ...input, overload: { max_event_loop_delay_seconds: 60, ...input.overload } }
}
