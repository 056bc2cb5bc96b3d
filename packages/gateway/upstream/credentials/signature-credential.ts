import type {
  Credential,
  CredentialHeaders,
  CredentialRefusal,
  CredentialState,
  SignableRequest,
} from './credential.ts'
import type { MintedSecret } from './minted-secret.ts'
import type { AwsKeys } from './sigv4.ts'
import type { SkewedClock } from './skewed-clock.ts'

/** Loaded with the first credential that signs: it takes 50 ms and 14 MB, which others need not spend. */
let loading: Promise<typeof import('./sigv4.ts')> | undefined

function loadSigner(): Promise<typeof import('./sigv4.ts')> {
  loading ??= import('./sigv4.ts')
  return loading
}

export interface SignatureOptions {
  /** The region of an address: a signature is only valid there. */
  regionOf: (origin: string) => string
  service: string
  clock: SkewedClock
  number: number | null
}

/** AWS keys that sign each call for the region that it goes to. */
export class SignatureCredential implements Credential {
  readonly kind = 'signature'
  readonly number: number | null
  readonly #minted: MintedSecret<AwsKeys>
  readonly #regionOf: (origin: string) => string
  readonly #service: string
  readonly #clock: SkewedClock

  constructor(minted: MintedSecret<AwsKeys>, { regionOf, service, clock, number }: SignatureOptions) {
    this.#minted = minted
    this.#regionOf = regionOf
    this.#service = service
    this.#clock = clock
    this.number = number
    void loadSigner()
  }

  headers(request: SignableRequest): Promise<CredentialHeaders> | undefined {
    const keys = this.#minted.current()
    return keys === undefined ? undefined : this.#sign(request, keys)
  }

  async #sign(request: SignableRequest, keys: AwsKeys): Promise<CredentialHeaders> {
    const { signV4 } = await loadSigner()
    const region = this.#regionOf(request.origin)
    return signV4(request, keys, { region, service: this.#service, atMs: this.#clock.now() })
  }

  ready(timeoutMs: number): Promise<void> {
    return this.#minted.ready(timeoutMs)
  }

  /**
   * Repeats the call if the keys were replaced, or if this machine's clock was wrong according to the
   * response's date. Otherwise requests other keys.
   */
  handleRefusal({ usedHeaders, dateHeader }: CredentialRefusal): 'again' | 'rest' {
    const keys = this.#minted.current()
    if (keys === undefined) return 'rest'
    const isOther =
      !usedHeaders['authorization']?.includes(`Credential=${keys.accessKeyId}/`) ||
      usedHeaders['x-amz-security-token'] !== keys.sessionToken
    if (this.#clock.learn(dateHeader) || isOther) return 'again'
    this.#minted.markRefused()
    return 'rest'
  }

  state(): CredentialState {
    return { kind: 'signature', ...this.#minted.state() }
  }

  secrets(): readonly string[] {
    return this.#minted.secrets()
  }

  onRenewed(listener: () => void): void {
    this.#minted.onRenewed(listener)
  }
}
