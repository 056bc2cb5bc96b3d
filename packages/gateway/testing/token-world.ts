import { compilePricing } from '@turnpike/billing'
import { openaiChatCaller, parseRequest, scanObject } from '@turnpike/dialects'
import { toGatewayError, type GatewayError } from '@turnpike/protocol'
import type { CatalogModel, Provider } from '@turnpike/vendors'
import { CandidateBook } from '../candidates/candidate-book.ts'
import { CandidateOrder } from '../candidates/candidate-order.ts'
import { HealthBook } from '../candidates/health/health-book.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'
import { generate } from '../operations/generate/rules.ts'
import { callUpstream } from '../steps/call-upstream.ts'
import type { UpstreamClient, UpstreamReceiver, UpstreamRequest } from '../upstream/client.ts'
import {
  CredentialFailure,
  type Credential,
  type CredentialHeaders,
  type CredentialRefusal,
  type CredentialState,
  type SignableRequest,
} from '../upstream/credentials/credential.ts'
import { KeyCredential } from '../upstream/credentials/key-credential.ts'

/** A token that the test mints, on the test's clock. */
export class HandMadeToken implements Credential {
  readonly kind = 'token'
  readonly number = 1
  readonly #isPromise: boolean
  #nowMs = 0
  #token: { value: string; endsAtMs: number } | undefined
  #refused: string | undefined
  #known: string[] = []
  readonly #listeners: (() => void)[] = []
  #waiting: { untilMs: number; resolve: () => void; reject: (error: Error) => void }[] = []
  /** How long each caller was ready to wait, in milliseconds. */
  readonly waits: number[] = []
  readonly refusals: CredentialRefusal[] = []
  readonly signed: SignableRequest[] = []
  /** Called when a request begins to wait. */
  onWait: () => void = () => undefined
  fails: { failure: string; hint: string } | undefined

  constructor({ isPromise = false } = {}) {
    this.#isPromise = isPromise
  }

  mint(value: string, livesMs: number): void {
    this.#token = { value: `token ${value}`, endsAtMs: this.#nowMs + livesMs }
    this.#known = [value, ...this.#known]
    for (const listener of this.#listeners) listener()
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  advance(ms: number): void {
    this.#nowMs += ms
    const due = this.#waiting.filter(({ untilMs }) => untilMs <= this.#nowMs)
    this.#waiting = this.#waiting.filter((one) => !due.includes(one))
    for (const { reject } of due) reject(new CredentialFailure('no token in time', 'wait'))
  }

  headers(request: SignableRequest): CredentialHeaders | undefined | Promise<CredentialHeaders | undefined> {
    this.signed.push(request)
    const current = this.#current()
    const headers = current === undefined ? undefined : { authorization: current }
    return this.#isPromise ? Promise.resolve(headers) : headers
  }

  ready(timeoutMs: number): Promise<void> {
    this.waits.push(Math.round(timeoutMs))
    const current = this.#current()
    if (current !== undefined && current !== this.#refused) return Promise.resolve()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ untilMs: this.#nowMs + Math.round(timeoutMs), resolve, reject })
    queueMicrotask(() => this.onWait())
    return promise
  }

  handleRefusal(refusal: CredentialRefusal): 'again' | 'rest' {
    this.refusals.push(refusal)
    this.#refused = refusal.usedHeaders['authorization']
    const current = this.#current()
    return current !== undefined && current !== this.#refused ? 'again' : 'rest'
  }

  state(): CredentialState {
    const state = this.#current() === undefined ? 'absent' : 'ready'
    const why = this.fails ?? { failure: null, hint: null }
    return { kind: 'token', source: 'by hand', state, expiresInSeconds: null, ...why }
  }

  secrets(): readonly string[] {
    return this.#known
  }

  onRenewed = (listener: () => void): void => void this.#listeners.push(listener)

  #current(): string | undefined {
    return this.#token !== undefined && this.#token.endsAtMs > this.#nowMs ? this.#token.value : undefined
  }
}

interface WorldOptions {
  /** The only token that the upstream accepts; absent: any. */
  good?: string
  /** Whether it accepts a call's credential; absent: as `good` says. */
  takes?(proof: string): boolean
  refusesWith?: number
  says?: string
  /** Adds a second upstream with a key after the one with the token. */
  withKey?: boolean
  keyAnswers?: number
  connectMs?: number
  credential?: HandMadeToken
  /** Regions of the upstream with the token; absent: none. */
  regions?: readonly string[]
  /** Regions at their rate limit. */
  busy?: readonly string[]
}

const plainAnswer = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

/** Sends requests to an upstream that needs a token, through all steps of a request's attempts. */
export function tokenWorld(options: WorldOptions = {}) {
  const { credential: token = new HandMadeToken() } = options
  const sent: UpstreamRequest[] = []
  const attempts: Held['record']['attempts'] = []
  const world = { onCall: (): void => undefined, isGone: false }
  const client: UpstreamClient = {
    send(request, receiver) {
      sent.push({ ...request, headers: { ...request.headers } })
      const status = statusFor(request, options)
      world.onCall()
      queueMicrotask(() => answerWith(status, options, receiver))
    },
  }
  const candidates = candidatesOf(token, options)
  const gateway = {
    clients: new Map([
      ['cloud', client],
      ['vendor', client],
    ]),
    order: new CandidateOrder('listed'),
    log: { warn: () => undefined, error: () => undefined },
  } as unknown as Gateway
  const ask = async (): Promise<string> => {
    const request = heldOf(candidates, world)
    try {
      const ending = await (await callUpstream(request, gateway)).relay()
      return ending.outcome === 'completed' ? 'answered' : ending.outcome
    } finally {
      attempts.push(...request.record.attempts)
    }
  }
  return Object.assign(world, {
    token,
    ask,
    askFailing: (): Promise<GatewayError> =>
      ask().then((outcome) => Promise.reject(new Error(outcome)), toGatewayError),
    leave: () => void (world.isGone = true),
    /** The credential of each call. */
    calls: () => sent.map(({ headers }) => headers['authorization']),
    bodies: () => sent.map(({ body }): unknown => JSON.parse(body!.toString())),
    results: () => attempts.map(({ result }) => result),
    regions: () => attempts.map(({ region, result }) => `${region} ${result}`),
    origins: () => sent.map(({ origin }) => origin),
  })
}

function statusFor({ origin, headers }: UpstreamRequest, options: WorldOptions): number {
  const { good, refusesWith, keyAnswers = 200, busy = [] } = options
  const authorization = headers['authorization']!
  if (busy.some((region) => origin.includes(region))) return 429
  if (authorization.startsWith('key ')) return keyAnswers
  if (refusesWith !== undefined) return refusesWith
  if (options.takes !== undefined) return options.takes(authorization) ? 200 : 401
  return good === undefined || authorization === `token ${good}` ? 200 : 401
}

function answerWith(status: number, { says = 'refused' }: WorldOptions, receiver: UpstreamReceiver): void {
  const headers = {
    'content-type': 'application/json',
    date: 'Mon, 23 Nov 2026 12:00:00 GMT',
    ...(status !== 200 && { 'x-amzn-errortype': 'ExpiredTokenException' }),
  }
  receiver.onCall({ pause: () => undefined, resume: () => undefined, abort: () => undefined })
  receiver.onHead(status, headers)
  receiver.onData(
    Buffer.from(status === 200 ? plainAnswer : JSON.stringify({ error: { message: says, type: 'x' } })),
  )
  receiver.onEnd()
}

function providerOf({ connectMs = 5_000, regions: [first, ...others] = [] }: WorldOptions): Provider {
  const provider = {
    name: 'cloud',
    style: 'openai',
    format: 'openai-chat',
    baseUrl: 'https://cloud.test/v1',
    paths: {},
    query: '',
    keyHeader: { header: 'authorization', prefix: 'key ' },
    apiKeys: [],
    headers: {},
    takesStreamOptions: true,
    allowedReferences: [],
    paidFields: [],
    allowUnpriced: new Set(),
    unaskedSearches: 0,
    timeouts: { connectMs, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 },
  } as unknown as Provider
  if (first === undefined) return provider
  const all = [first, ...others].map((region) => ({
    ...provider,
    region,
    baseUrl: `https://${region}.cloud.test/v1`,
  }))
  return { ...all[0]!, regions: all }
}

function candidatesOf(token: Credential, options: WorldOptions): Held['candidates'] {
  const { withKey = false, regions } = options
  const provider = providerOf(options)
  const own = { provider: 'cloud', model: 'm' }
  const model = {
    id: 'cloud/m',
    operations: ['generate'],
    contextLength: 1_000,
    maxOutputTokens: 100,
    supportedParameters: [],
    upstreams: [
      ...(regions === undefined ? [own] : regions.map((region) => ({ ...own, region }))),
      ...(withKey ? [{ provider: 'vendor', model: 'm' }] : []),
    ],
  } as unknown as CatalogModel
  const rules = {
    failures: 3,
    restMs: 10_000,
    longestBackoffMs: 60_000,
    longestRestMs: 60_000,
    probes: 1,
  }
  const book = new CandidateBook({
    prices: new Map([['cloud/m', compilePricing({ prompt: '1', completion: '1' }, '1.0')]]),
    providers: new Map([
      ['cloud', provider],
      ['vendor', { ...provider, name: 'vendor' }],
    ]),
    credentials: new Map([
      ['cloud', [token]],
      ['vendor', [new KeyCredential(() => 'sk-1', 1)]],
    ]),
    markup: '1.0',
    health: new HealthBook(rules),
  })
  return book.of(model)
}

function heldOf(candidates: Held['candidates'], world: { isGone: boolean }): Held {
  const body = Buffer.from('{"model":"cloud/m","messages":[{"role":"user","content":"x"}]}')
  return {
    exchange: {
      requestId: 'req_1',
      startedAtMs: 0,
      startedAtMonotonicMs: 0,
      header: () => undefined,
      listen: () => undefined,
      get clientClosed() {
        return world.isGone
      },
    },
    format: openaiChatCaller,
    operation: generate,
    key: { accountId: 'acc' },
    record: { id: 'req_1', attempts: [], dropped: [] },
    body,
    members: scanObject(body).members,
    call: parseRequest(JSON.parse(body.toString())),
    candidates,
    outputBound: { tokens: 100, isSent: false, isLowered: false },
    heldInputTokens: 10,
    furtherInput: [],
    headSent: false,
  } as unknown as Held
}
