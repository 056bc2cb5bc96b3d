import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { IssuerServer } from '../../../apps/server/identity/testing/issuer-server.ts'

const resource = 'https://people.torture.test'
/** Longer than any run. */
const tokenSeconds = 86_400

/** Which API a caller uses, and its credentials. */
export interface Caller {
  base: string
  headers(): Promise<Record<string, string>>
}

/** People who sign in at the run's own issuer, and act for organizations by the API of users. */
export class People {
  readonly #issuer: IssuerServer
  /** Time of the nodes' clock. */
  readonly #nowMs: () => number

  private constructor(issuer: IssuerServer, nowMs: () => number) {
    this.#issuer = issuer
    this.#nowMs = nowMs
  }

  static async start(nowMs: () => number): Promise<People> {
    return new People(await IssuerServer.start(), nowMs)
  }

  get identity(): NonNullable<ConfigurationInput['identity']> {
    const { address: issuer } = this.#issuer
    return { name: 'people', issuer, client_id: 'torture', resource, max_organizations: 1_000 }
  }

  /** @param organization that they act for; absent: themselves */
  caller(person: string, organization?: string): Caller {
    return {
      base: '/api/v1',
      headers: async () => ({
        authorization: `Bearer ${await this.#token(person)}`,
        ...(organization !== undefined && { 'x-turnpike-org': organization }),
      }),
    }
  }

  #token(sub: string): Promise<string> {
    const nowSeconds = Math.floor(this.#nowMs() / 1_000)
    return this.#issuer.token({ aud: resource, sub, iat: nowSeconds, exp: nowSeconds + tokenSeconds })
  }

  stop(): Promise<void> {
    return this.#issuer.stop()
  }
}
