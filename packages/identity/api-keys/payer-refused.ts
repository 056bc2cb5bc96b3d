/**
 * Why a key cannot draw on another: that one is not the account's, or is revoked or replaced, or draws on a
 * third one, or is the key itself; or others draw on the key that would, or it is revoked or replaced.
 */
export type PayerRefusal =
  | 'unknown-payer'
  | 'payer-inactive'
  | 'payer-draws'
  | 'same-key'
  | 'is-payer'
  | 'key-inactive'

/** Nothing was changed. */
export class PayerRefused extends Error {
  override readonly name = 'PayerRefused'
  readonly refusal: PayerRefusal

  constructor(refusal: PayerRefusal) {
    super(`the key cannot draw on that one: ${refusal}`)
    this.refusal = refusal
  }
}
