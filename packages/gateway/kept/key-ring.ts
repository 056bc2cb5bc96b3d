import { deriveKey, sealBytes, unsealBytes } from './sealed-bytes.ts'

/** What was sealed, and its account. */
export interface SealedName {
  accountId: string
  id: string
}

/** What a ring is for. Part of the derived keys, so a key of another purpose opens nothing here. */
export interface RingPurpose {
  /** What the keys are for: `kept answers`. */
  of: string
  /** The setting that contains the keys. */
  setting: string
}

export const keptAnswersPurpose: RingPurpose = { of: 'kept answers', setting: 'responses.encryption_keys' }

interface NamedSecret {
  name: string
  secret: Buffer
}

const nameBytes = 8

/** Thrown if none of the operator's keys is the one that sealed it. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing'
}

/**
 * Keys that seal stored data: the first key seals, and any of them opens, so a new key is put before the old
 * ones. Each account has a key derived from it: no account can seal more than one key may seal with random
 * nonces (NIST SP 800-38D, section 8.3).
 */
export class KeyRing {
  readonly #secrets: readonly NamedSecret[]
  readonly #purpose: RingPurpose

  /** @param secrets 32 bytes each; at least one, the newest first */
  constructor(secrets: readonly Buffer[], purpose: RingPurpose = keptAnswersPurpose) {
    this.#secrets = secrets.map((secret) => ({ name: nameOf(secret, purpose), secret }))
    this.#purpose = purpose
  }

  /** The name of the key that seals. Rows store it; it does not reveal the key. */
  get name(): string {
    return this.#secrets[0]!.name
  }

  /** @param part which part, if something is sealed in several parts */
  seal(plain: Uint8Array, of: SealedName, part: string): Buffer {
    return sealBytes(plain, this.#accountKey(this.#secrets[0]!.secret, of), associatedDataOf(of, part))
  }

  /**
   * @throws {KeyMissing} if there is no key of that name
   * @throws if it is not what was sealed
   */
  unseal(sealed: Uint8Array, keyName: string, of: SealedName, part: string): Buffer {
    const named = this.#secrets.find(({ name }) => name === keyName)
    if (named === undefined)
      throw new KeyMissing(`${this.#purpose.setting} has no key of the name ${keyName}`)
    return unsealBytes(sealed, this.#accountKey(named.secret, of), associatedDataOf(of, part))
  }

  #accountKey(secret: Buffer, { accountId }: SealedName): Buffer {
    return deriveKey(secret, `turnpike: ${this.#purpose.of} of ${accountId}`)
  }
}

function nameOf(secret: Buffer, { of }: RingPurpose): string {
  return deriveKey(secret, `turnpike: name of a key of ${of}`).toString('hex', 0, nameBytes)
}

/** Binds sealed bytes to their account, answer and part, so that no others can replace them. */
function associatedDataOf({ accountId, id }: SealedName, part: string): string {
  return `${accountId} ${id} ${part}`
}
