/**
 * Why a key cannot draw on another one. That one is not the account's, is revoked or replaced, draws on a
 * third key, or is the same key. Or the key that would draw has keys drawing on it, or is revoked or replaced
 * itself.
 */
export type PayerRefusal =
  | 'unknown-payer'
  | 'payer-inactive'
  | 'payer-draws'
  | 'same-key'
  | 'is-payer'
  | 'key-inactive'

/** Thrown when nothing was changed. */
export class PayerRefused extends Error {
  override readonly name = 'PayerRefused'
  readonly refusal: PayerRefusal

  constructor(refusal: PayerRefusal) {
    super(`the key cannot draw on that one: ${refusal}`)
    this.refusal = refusal
  }
}
