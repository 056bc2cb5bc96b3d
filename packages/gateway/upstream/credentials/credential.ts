import type { KeyHeader } from '@turnpike/vendors'
import type { UpstreamRequest } from '../client.ts'

/** A complete call to be signed: nothing of it changes after its credential is added. */
export type SignableRequest = Pick<UpstreamRequest, 'method' | 'origin' | 'path' | 'headers' | 'body'>

/** Lower-case names; all values are secrets. */
export type CredentialHeaders = Readonly<Record<string, string>>

export type CredentialKind = 'none' | 'key' | 'token' | 'signature'

/** Authenticates the gateway to an upstream: a key, a minted token, or a signature of the call. */
export interface Credential {
  readonly kind: CredentialKind
  /**
   * Its position in the provider's list, from 1; null if there is none, or it is not one of the operator's.
   */
  readonly number: number | null
  /**
   * The headers that authenticate a call. Undefined if nothing is valid now. Never waits and never throws.
   * Returns a promise only to compute a signature, since any other wait would delay each request.
   * @param keyHeader how the provider expects a key; only keys use it
   */
  headers(
    request: SignableRequest,
    keyHeader: KeyHeader,
  ): CredentialHeaders | undefined | Promise<CredentialHeaders | undefined>
  /**
   * Resolves once there is a credential that was not rejected, at once if there is.
   * @throws {CredentialFailure} if there is none in time, or minting has failed
   */
  ready(timeoutMs: number): Promise<void>
  /**
   * The upstream rejected these headers. `again`: there are other headers now, so repeat the call at once.
   * `rest`: there is nothing better, so put the upstream into cooldown.
   */
  handleRefusal(refusal: CredentialRefusal): 'again' | 'rest'
  /** Its state, for operators; contains no secret. */
  state(): CredentialState
  /** The current and the previous secret: neither a log nor a caller may see them. */
  secrets(): readonly string[]
  /** Registers a listener for each replacement. Absent if there are none: rejected calls are not repeated. */
  readonly onRenewed?: ((listener: () => void) => void) | undefined
}

/** How an upstream rejected a credential. */
export interface CredentialRefusal {
  /** The headers of the call, including the ones that authenticate it. */
  usedHeaders: CredentialHeaders
  /** The error's name in the response's head, as in AWS's `x-amzn-errortype`. */
  errorType: string | undefined
  /** When the upstream says that it answered: the unparsed `date` header. */
  dateHeader: string | undefined
}

export interface CredentialState {
  kind: CredentialKind
  /** Where it comes from: `api_keys`, `AWS: role by web identity`. */
  source: string
  /**
   * `minting`: the first one is being minted. `failing`: renewal has failed, and the previous one is still in
   * use. `absent`: there is nothing to call with.
   */
  state: 'ready' | 'minting' | 'failing' | 'absent'
  /** Whole seconds until it expires; null if it has no known end. */
  expiresInSeconds: number | null
  /** Why renewal failed; null if it did not. */
  failure: string | null
  /** What the operator can do about the failure. */
  hint: string | null
}

/** There is no credential. The hint is for the operator: it goes to the log, never to a caller. */
export class CredentialFailure extends Error {
  override readonly name = 'CredentialFailure'
  readonly hint: string

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.hint = hint
  }
}
