/** The management API of the server under test, as its operator calls it. */
export class Admin {
  readonly #origin: string
  readonly #internalSecret: string

  constructor(port: number, internalSecret: string) {
    this.#origin = `http://127.0.0.1:${port}/api/v1/admin`
    this.#internalSecret = internalSecret
  }

  async get<Body>(path: string): Promise<Body> {
    return (await (await this.#answer(path, {})).json()) as Body
  }

  async post<Body>(path: string, body: unknown): Promise<Body> {
    return (await (await this.#answer(path, { method: 'POST', body: JSON.stringify(body) })).json()) as Body
  }

  async text(path: string): Promise<string> {
    return await (await this.#answer(path, {})).text()
  }

  /** A new account with keys that each have credit; answers the account and the raw keys. */
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
    const response = await fetch(this.#origin + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
}
