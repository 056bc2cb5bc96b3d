import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { MetricSamples } from './metric-samples.ts'

/** Comparing books of millions of requests takes minutes; undici would time out after five. */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

/** The management API of the server under test, called as the operator. */
export class Admin {
  readonly #server: string
  readonly #origin: string
  readonly #internalSecret: string

  constructor(port: number, internalSecret: string) {
    this.#server = `http://127.0.0.1:${port}`
    this.#origin = `${this.#server}/api/v1/admin`
    this.#internalSecret = internalSecret
  }

  async get<Body>(path: string): Promise<Body> {
    return (await (await this.#answer(path, {})).json()) as Body
  }

  async post<Body>(path: string, body: unknown): Promise<Body> {
    return (await (await this.#answer(path, { method: 'POST', body: JSON.stringify(body) })).json()) as Body
  }

  /** Yields a response line by line, since an export may exceed the longest possible string. */
  async *lines(path: string): AsyncGenerator<string> {
    let begun = ''
    for await (const text of (await this.#answer(path, {})).body!.pipeThrough(new TextDecoderStream())) {
      const lines = (begun + text).split('\n')
      begun = lines.pop()!
      yield* lines
    }
    if (begun !== '') yield begun
  }

  async metrics(): Promise<MetricSamples> {
    const headers = { 'x-internal-secret': this.#internalSecret, connection: 'close' }
    const response = await fetch(`${this.#server}/metrics`, { headers })
    if (!response.ok) throw new Error(`/metrics: ${response.status} ${await response.text()}`)
    return new MetricSamples(await response.text())
  }

  /** Creates an account with keys that each have credit; returns the account and the raw keys. */
  async createAccount(keys: number, creditUsd: string): Promise<{ accountId: string; rawKeys: string[] }> {
    const email = `bench-${Date.now()}@turnpike.test`
    const { id: accountId } = await this.post<{ id: string }>('/accounts', { email })
    const rawKeys: string[] = []
    for (let number = 0; number < keys; number++) {
      const key = await this.post<{ id: string; raw: string }>(`/accounts/${accountId}/keys`, {
        name: 'bench',
      })
      rawKeys.push(key.raw)
      const credit = { amount_usd: creditUsd, key_id: key.id, kind: 'grant', reason: 'benchmark' }
      await this.post(`/accounts/${accountId}/credits`, credit)
    }
    return { accountId, rawKeys }
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    const headers: Record<string, string> = { 'x-internal-secret': this.#internalSecret }
    if (init.body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(this.#origin + path, { ...init, headers, dispatcher })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
}
