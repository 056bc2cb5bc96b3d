import type { Credential, CredentialHeaders, CredentialRefusal, CredentialState } from './credential.ts'
import type { MintedSecret } from './minted-secret.ts'

/** A renewable access token, sent as a bearer token (RFC 6750). */
export class TokenCredential implements Credential {
  readonly kind = 'token'
  readonly number: number | null
  readonly #minted: MintedSecret<string>
  /** The headers for the last token, which requests share. */
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

  /** Repeats the call if the token was replaced during it; otherwise requests another one. */
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
