import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeyRing, type ModelOffers, type RequestRecord } from '@turnpike/gateway'
import { DeviceSignIns, type Account, type AccountStore } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { openStorage, type Storage } from '@turnpike/storage'
import type { FastifyRequest } from 'fastify'
import { afterAll } from 'vitest'
import { newRecord } from '../../../storage/testing/fixtures.ts'
import { createManagementApi } from '../management-api.ts'
import { exampleModel } from '../openapi/compatible/model.ts'
import type { OpenapiDocument } from '../openapi/document-types.ts'
import type { PriceReport } from '../prices/routes.ts'
import type { Route } from '../route-table.ts'
import type { ManagementServices } from '../services.ts'
import { documentedStatuses, type StatusCheck } from './documented-statuses.ts'

export const internalSecret = 'a secret of the operator'
/** 2026-03-10T12:00:00Z */
export const nowMs = Date.UTC(2026, 2, 10, 12)
const nodeId = 'node_of_the_test'

/** For a gateway without models. */
export const priceReport: PriceReport = {
  version: 'prices_2026-03-10_0123456789ab',
  source: 'nowhere',
  updated_at: nowMs / 1000,
  models: 0,
  changed_models: 0,
  changes: [],
  unpriced: [],
  problems: [],
  not_charged: [],
}

/** The offers of the example model. */
const exampleOffers: ModelOffers = {
  model: exampleModel.id,
  endpoints: ['chat.completions', 'responses'],
  offers: [
    {
      provider: 'openai',
      pricing: exampleModel.pricing,
      nativeEndpoints: ['chat.completions', 'responses'],
      state: 'working',
    },
  ],
  fallbacks: [],
  choices: [],
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  json: AnswerBody
}

/** The body of any response; only fields that tests use are declared. */
interface AnswerBody {
  [field: string]: unknown
  id: string
  raw: string
  balance_usd: string
  next_cursor: string
  usage: { raw: unknown } | null
  data: { [field: string]: unknown; id: string; kind: string; amount_usd: string }[]
  error: { message: string; type: string; code: number; param: string | null; request_id: string }
}

interface CallOptions {
  /** Sent as JSON; a Buffer or text is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  /** The correct secret by default; null sends none. */
  secret?: string | null
  /** Subject of the user whose token is sent, instead of the secret. */
  as?: string
}

export interface ManagementServer {
  origin: string
  storage: Storage
  /** The notifications to the request path, in order. */
  told: string[]
  clock: { nowMs: number }
  routes: readonly Route[]
  services: ManagementServices
  /** @throws {Error} if the API's document does not list the response's status for the operation */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  write(...records: RequestRecord[]): Promise<void>
  close(): Promise<void>
}

function ownKeysOf({ vendorKeys: store }: Storage): NonNullable<ManagementServices['ownKeys']> {
  const ring = new KeyRing([Buffer.alloc(32, 7)], { of: 'vendor keys', setting: 'byok.encryption_keys' })
  return {
    store,
    seal: (secret, of) => ({ keyName: ring.name, sealed: ring.seal(Buffer.from(secret), of, 'secret') }),
    providers: [{ name: 'openai', title: 'OpenAI' }],
    fee: '0.05',
  }
}

type Overrides = Partial<ManagementServices>

/** The management API on a real server, with a real SQLite database in its own directory. */
export async function startManagementServer(
  overrides: Overrides | ((made: { storage: Storage; clock: () => number }) => Overrides) = {},
): Promise<ManagementServer> {
  const directory = await mkdtemp(join(tmpdir(), 'management-'))
  const storage = await openStorage({ engine: 'sqlite', path: join(directory, 'turnpike.db') })
  const told: string[] = []
  const clock = { nowMs }
  const services: ManagementServices = {
    ...storage,
    models: () => [exampleModel],
    modelOffers: (name) => (name === exampleModel.id ? exampleOffers : undefined),
    ownKeys: ownKeysOf(storage),
    prices: { report: () => priceReport, refresh: async () => priceReport },
    upstreams: { all: () => [], credentials: () => [] },
    metrics: { contentType: 'text/plain; version=0.0.4', text: async () => 'turnpike_outbox_rows 0\n' },
    internalSecret,
    accountOf: (request) => accountOfSubject(request, storage.accounts),
    clock: () => clock.nowMs,
    health: () => ({ status: 'ok', checks: { database: { status: 'ok' } } }),
    logger: { error: (fields, message) => void told.push(`log ${message} ${JSON.stringify(fields)}`) },
    onKeyCreated: (keyHash) => void told.push(`created ${keyHash}`),
    onKeyChanged: (keyId) => void told.push(`changed ${keyId}`),
    onAccountChanged: (accountId) => void told.push(`changed ${accountId}`),
    releaseCredit: async (keyId) => void told.push(`release ${keyId}`),
    releaseBudget: async ({ id }) => void told.push(`release ${id}`),
    releaseShared: async (keyId) => void told.push(`release ${keyId}`),
    flushUsage: async () => void told.push('flush'),
    deviceSignIns: {
      signIns: new DeviceSignIns({
        store: storage.signIns,
        clock: () => clock.nowMs,
        onEnded: (keyId) => void told.push(`changed ${keyId}`),
      }),
      publicUrl: () => 'https://llm.example.com',
      approvalPath: '/connect',
    },
    ...(typeof overrides === 'function' ? overrides({ storage, clock: () => clock.nowMs }) : overrides),
  }
  const api = await createManagementApi(services)
  // As on the gateway's own server, the caller closes connections. Otherwise, a test that blocks the thread
  // for longer than connections are kept would send its next request on a connection that is closed in the
  // same turn.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => api.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    storage,
    told,
    clock,
    routes: api.routes,
    services,
    call: checkedCall(origin),
    async write(...records) {
      await storage.requests.write(nodeId, records)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await api.close()
      await storage.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** A management server for a whole test file: it closes after the last test. */
export async function suiteManagementServer(
  ...[overrides]: Parameters<typeof startManagementServer>
): Promise<ManagementServer> {
  return endWithSuite(await startManagementServer(overrides))
}

export function endWithSuite(server: ManagementServer): ManagementServer {
  afterAll(() => server.close())
  return server
}

/** Fetches the document once, with the first call. */
function checkedCall(origin: string): ManagementServer['call'] {
  let statuses: Promise<StatusCheck> | undefined
  return async (method, path, options = {}) => {
    const answer = await call(origin + path, method, options)
    statuses ??= documentOf(origin).then(documentedStatuses)
    const check = await statuses
    check(method, path, answer.status)
    return answer
  }
}

async function documentOf(origin: string): Promise<OpenapiDocument> {
  const response = await fetch(`${origin}/openapi.json`)
  return (await response.json()) as OpenapiDocument
}

/** In place of a user token, the bearer is the subject itself. */
async function accountOfSubject(request: FastifyRequest, accounts: AccountStore): Promise<Account> {
  const [, subject] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (subject === undefined) {
    const headers = { 'www-authenticate': 'Bearer' }
    throw new GatewayError('authentication_error', 'No user token was given.', { headers })
  }
  return (await accounts.provision({ subject, tier: 'free' }, nowMs)).account
}

async function call(url: string, method: string, options: CallOptions): Promise<Answer> {
  const { body, as } = options
  const secret = options.secret === undefined && as === undefined ? internalSecret : (options.secret ?? null)
  const asIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const response = await fetch(url, {
    method,
    headers: {
      ...(secret === null ? {} : { 'x-internal-secret': secret }),
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json;') === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : null,
  }
}

/** A completed request that cost one cent, with the given fields changed. */
export function requestRecord(
  fields: Partial<RequestRecord> & Pick<RequestRecord, 'accountId' | 'keyId'>,
): RequestRecord {
  const key = { id: fields.keyId, accountId: fields.accountId }
  return newRecord(key, {
    startedAtMs: nowMs,
    stream: false,
    modelAsked: 'openai/gpt-5-mini',
    attempts: [{ provider: 'openai', model: 'gpt-5-mini', status: 200, result: 'ok', durationMs: 420 }],
    pricing: { prompt: '0.0005', completion: '0.001' },
    markup: '1',
    holdPico: 20_000_000_000n,
    chargePico: 10_000_000_000n,
    durationMs: 450,
    firstTokenMs: 120,
    ...fields,
  })
}
