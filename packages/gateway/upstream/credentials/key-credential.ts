import type { KeyHeader } from '@turnpike/vendors'
import type {
  Credential,
  CredentialHeaders,
  CredentialRefusal,
  CredentialState,
  SignableRequest,
} from './credential.ts'

/** A key from the configuration, sent unchanged with every call. */
export class KeyCredential implements Credential {
  readonly kind = 'key'
  readonly number: number | null
  readonly onRenewed: Credential['onRenewed']
  readonly #current: () => string
  readonly #source: string
  /** The headers for the last key, which requests share. */
  #sent: { key: string; keyHeader: KeyHeader; headers: CredentialHeaders } | undefined
  /** The key before it. */
  #formerKey: string | undefined

  /**
   * @param current returns the current key: its file may change
   * @param source where it comes from, for operators
   * @param onRenewed called when the file has changed; absent if the key is not from a file
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

  /** Repeats the call if the key was replaced during it. */
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
