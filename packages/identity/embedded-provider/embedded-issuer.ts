import type { CryptoKey, JWSHeaderParameters } from 'jose'
import type { IssuerEndpoints, TokenIssuer } from '../user-tokens/token-issuer.ts'
import { embeddedEndpoints, embeddedIssuer } from './addresses.ts'
import type { ProviderKeys } from './provider-keys.ts'

/** The embedded provider as a token issuer: its keys are local, so nothing is fetched. */
export class EmbeddedIssuer implements TokenIssuer {
  readonly issuer: string
  readonly #keys: ProviderKeys

  constructor(publicUrl: string, keys: ProviderKeys) {
    this.issuer = embeddedIssuer(publicUrl)
    this.#keys = keys
  }

  publicKey(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    return this.#keys.publicKey(header)
  }

  endpoints(): Promise<IssuerEndpoints> {
    return Promise.resolve(embeddedEndpoints(this.issuer))
  }
}
