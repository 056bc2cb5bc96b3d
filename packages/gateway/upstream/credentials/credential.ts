import type { KeyHeader } from '@turnpike/vendors'
import type { UpstreamRequest } from '../client.ts'

/** A finished call, as far as it is signed: nothing of it changes behind its credential. */
export type SignableRequest = Pick<UpstreamRequest, 'method' | 'origin' | 'path' | 'headers' | 'body'>

/** Lower-case names; all of them are secrets. */
export type CredentialHeaders = Readonly<Record<string, string>>

export type CredentialKind = 'none' | 'key' | 'token' | 'signature'

/** What proves to an upstream who calls: a key, a token that was minted, or a signature of the call. */
export interface Credential {
  readonly kind: CredentialKind
  /** Its place among its provider's, from 1; null: there is none, or it is none of the operator's. */
  readonly number: number | null
  /**
   * The headers that prove it. Undefined: there is nothing that is good now. It never waits and never throws;
   * a promise only where a signature has to be computed, and what awaits anything else costs each request.
   * @param keyHeader how the provider wants a key: keys alone heed it
   */
  headers(
    request: SignableRequest,
    keyHeader: KeyHeader,
  ): CredentialHeaders | undefined | Promise<CredentialHeaders | undefined>
  /**
   * Resolves once there is something that was not refused, at once where there is.
   * @throws {CredentialFailure} there is nothing within the time, or what mints it has failed
   */
  ready(timeoutMs: number): Promise<void>
  /**
   * The upstream refused what these headers proved. `again`: it would prove it by others now, so that the
   * call is to be made once more at once. `rest`: it has nothing better, and is not to be asked for a while.
   */
  handleRefusal(told: CredentialRefusal): 'again' | 'rest'
  /** How it does, for operators: no secret is in it. */
  state(): CredentialState
  /** What is in use now, and what was before it: no log and no caller may see it. */
  secrets(): readonly string[]
  /**
   * Tells each time that a new one took the place of the one before. Absent: none ever does, so that a call
   * that was refused is not made again.
   */
  readonly onRenewed?: ((listener: () => void) => void) | undefined
}

/** What an upstream said to a credential that it does not take. */
export interface CredentialRefusal {
  /** The headers of the call, those that prove it among them. */
  usedHeaders: CredentialHeaders
  /** The name that the answer's head has for the error, as in AWS's `x-amzn-errortype`. */
  errorType: string | undefined
  /** When the upstream says that it answered: the `date` header, as it came. */
  dateHeader: string | undefined
}

export interface CredentialState {
  kind: CredentialKind
  /** Where it comes from: `api_keys`, `AWS: role by web identity`. */
  source: string
  /**
   * `minting`: the first one is on its way. `failing`: a new one could not be had, and the one before it is
   * still in use. `absent`: there is nothing to call with.
   */
  state: 'ready' | 'minting' | 'failing' | 'absent'
  /** Until it is no good any more, in whole seconds; null: it has no end that is known. */
  expiresInSeconds: number | null
  /** Why a new one could not be had; null: it could. */
  failure: string | null
  /** What the operator can do about that. */
  hint: string | null
}

/** There is no credential. The hint is the operator's: it goes to the log, and to no caller. */
export class CredentialFailure extends Error {
  override readonly name = 'CredentialFailure'
  readonly hint: string

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.hint = hint
  }
}
