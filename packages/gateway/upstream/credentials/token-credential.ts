import type { Credential, CredentialHeaders, CredentialRefusal, CredentialState } from './credential.ts'
import type { MintedSecret } from './minted-secret.ts'

/** An access token that is renewed, sent as a bearer's (RFC 6750). */
export class TokenCredential implements Credential {
  readonly kind = 'token'
  readonly number: number | null
  readonly #minted: MintedSecret<string>
  /** Of the token that was sent last: requests share them. */
  #sent: { token: string; headers: CredentialHeaders } | undefined

  constructor(minted: MintedSecret<string>, number: number | null) {
    this.#minted = minted
    this.number = number
  }

  headers(): CredentialHeaders | undefined {
    const token = this.#minted.current()
    if (token === undefined) return undefined
    if (this.#sent?.token !== token) this.#sent = { token, headers: { authorization: `Bearer ${token}` } }
    return this.#sent.headers
  }

  ready(timeoutMs: number): Promise<void> {
    return this.#minted.ready(timeoutMs)
  }

  /** Once more where the token was replaced while the call was under way; else another one is asked for. */
  handleRefusal({ usedHeaders }: CredentialRefusal): 'again' | 'rest' {
    const now = this.headers()
    if (now !== undefined && now['authorization'] !== usedHeaders['authorization']) return 'again'
    if (now !== undefined) this.#minted.markRefused()
    return 'rest'
  }

  state(): CredentialState {
    return { kind: 'token', ...this.#minted.state() }
  }

  secrets(): readonly string[] {
    return this.#minted.secrets()
  }

  onRenewed(listener: () => void): void {
    this.#minted.onRenewed(listener)
  }
}
