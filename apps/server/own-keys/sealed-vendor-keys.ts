import { KeyRing, type RingPurpose } from '@turnpike/gateway'
import type { SealedSecret, SealedVendorKey } from '@turnpike/identity'

const purpose: RingPurpose = { of: 'vendor keys', setting: 'byok.encryption_keys' }
const part = 'secret'

/**
 * Accounts' own keys of vendors as the database has them: sealed for their account and their row alone, so
 * that a row that is copied, or given to another account, opens nothing.
 */
export class SealedVendorKeys {
  readonly #ring: KeyRing

  /** @param keys of 32 bytes each, the one that seals first; at least one */
  constructor(keys: readonly Buffer[]) {
    this.#ring = new KeyRing(keys, purpose)
  }

  /** Of the key that seals. */
  get keyName(): string {
    return this.#ring.name
  }

  seal(secret: string, of: { id: string; accountId: string }): SealedSecret {
    return { keyName: this.#ring.name, sealed: this.#ring.seal(Buffer.from(secret), of, part) }
  }

  /** @throws where no key of the configuration opens it */
  open({ id, accountId, keyName, sealed }: SealedVendorKey): string {
    return this.#ring.unseal(sealed, keyName, { id, accountId }, part).toString()
  }
}
