import { KeyRing, type RingPurpose } from '@turnpike/gateway'
import type { SealedSecret, SealedVendorKey } from '@turnpike/identity'

const purpose: RingPurpose = { of: 'vendor keys', setting: 'byok.encryption_keys' }
const part = 'secret'

/**
 * Accounts' own vendor keys as they are stored. Each is sealed for its account and its row, so that a
 * copied row, or one moved to another account, cannot be opened.
 */
export class SealedVendorKeys {
  readonly #ring: KeyRing

  /** @param keys 32 bytes each, at least one; the first one seals */
  constructor(keys: readonly Buffer[]) {
    this.#ring = new KeyRing(keys, purpose)
  }

  /** The name of the key that seals. */
  get keyName(): string {
    return this.#ring.name
  }

  seal(secret: string, of: { id: string; accountId: string }): SealedSecret {
    return { keyName: this.#ring.name, sealed: this.#ring.seal(Buffer.from(secret), of, part) }
  }

  /** @throws if no configured key opens it */
  open({ id, accountId, keyName, sealed }: SealedVendorKey): string {
    return this.#ring.unseal(sealed, keyName, { id, accountId }, part).toString()
  }
}
