import { deriveKey, sealBytes, unsealBytes } from './sealed-bytes.ts'

/** Whose it is, and which. */
export interface SealedName {
  accountId: string
  id: string
}

/** What a ring seals. Its words are part of the keys: another purpose's key opens nothing of this one. */
export interface RingPurpose {
  /** Of what they are keys: `kept answers`. */
  of: string
  /** Where the operator has the keys. */
  setting: string
}

export const keptAnswersPurpose: RingPurpose = { of: 'kept answers', setting: 'responses.encryption_keys' }

interface NamedSecret {
  name: string
  secret: Buffer
}

const nameBytes = 8

/** None of the operator's keys is the one that it was sealed with. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing'
}

/**
 * The keys that answers are sealed with: new ones with the first, old ones with any of them, so that a key is
 * changed by putting a new one before it. Each account has a key of its own, made of it: no number of answers
 * comes near what one key may seal with random nonces (NIST SP 800-38D, section 8.3).
 */
export class KeyRing {
  readonly #secrets: readonly NamedSecret[]
  readonly #purpose: RingPurpose

  /** @param secrets of 32 bytes each; at least one, the newest first */
  constructor(secrets: readonly Buffer[], purpose: RingPurpose = keptAnswersPurpose) {
    this.#secrets = secrets.map((secret) => ({ name: nameOf(secret, purpose), secret }))
    this.#purpose = purpose
  }

  /** Of the key that seals; rows tell it, and nobody learns the key from it. */
  get name(): string {
    return this.#secrets[0]!.name
  }

  /** @param part of what is sealed by itself in several parts */
  seal(plain: Uint8Array, of: SealedName, part: string): Buffer {
    return sealBytes(plain, this.#accountKey(this.#secrets[0]!.secret, of), associatedDataOf(of, part))
  }

  /**
   * @throws {KeyMissing} where no key is of that name
   * @throws where it is not what was sealed
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

/** Neither another account's answer nor another of this one's can be put in its place. */
function associatedDataOf({ accountId, id }: SealedName, part: string): string {
  return `${accountId} ${id} ${part}`
}
