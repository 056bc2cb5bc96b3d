import type { KeyHeader } from '@turnpike/vendors'
import type {
  Credential,
  CredentialHeaders,
  CredentialRefusal,
  CredentialState,
  SignableRequest,
} from './credential.ts'

/** A key that its operator was given: it is sent as it is, with every call. */
export class KeyCredential implements Credential {
  readonly kind = 'key'
  readonly number: number | null
  readonly onRenewed: Credential['onRenewed']
  readonly #current: () => string
  readonly #source: string
  /** The headers of the key that was sent last: requests share them. */
  #sent: { key: string; keyHeader: KeyHeader; headers: CredentialHeaders } | undefined
  /** The key that was sent before it. */
  #formerKey: string | undefined

  /**
   * @param current the key as it is now: a file that holds it may change
   * @param source where it comes from, as operators know it
   * @param onRenewed tells when the file has changed; absent: it is no file's
   */
  constructor(
    current: () => string,
    number: number | null,
    { source = 'api_keys', onRenewed }: { source?: string; onRenewed?: Credential['onRenewed'] } = {},
  ) {
    this.#current = current
    this.number = number
    this.#source = source
    this.onRenewed = onRenewed
  }

  headers(_request: SignableRequest, keyHeader: KeyHeader): CredentialHeaders {
    const key = this.#current()
    const sent = this.#sent
    if (sent?.key === key && sent.keyHeader === keyHeader) return sent.headers
    if (sent !== undefined && sent.key !== key) this.#formerKey = sent.key
    const headers = { [keyHeader.header]: keyHeader.prefix + key }
    this.#sent = { key, keyHeader, headers }
    return headers
  }

  ready(): Promise<void> {
    return Promise.resolve()
  }

  /** Once more where the key was replaced while the call was under way. */
  handleRefusal({ usedHeaders }: CredentialRefusal): 'again' | 'rest' {
    const key = this.#current()
    return Object.values(usedHeaders).some((value) => value.endsWith(key)) ? 'rest' : 'again'
  }

  state(): CredentialState {
    return {
      kind: 'key',
      source: this.#source,
      state: 'ready',
      expiresInSeconds: null,
      failure: null,
      hint: null,
    }
  }

  secrets(): readonly string[] {
    const known = [this.#current(), this.#sent?.key, this.#formerKey]
    return [...new Set(known.filter((key) => key !== undefined))]
  }
}
