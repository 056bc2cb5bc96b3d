import { derivedKey, sealBytes, unsealBytes } from './sealed-bytes.ts'

/** What is sealed by itself of an answer. */
type Part = 'answer' | 'input'

/** Whose and which answer it is. */
export interface AnswerName {
  accountId: string
  id: string
}

interface NamedSecret {
  name: string
  secret: Buffer
}

const nameBytes = 8

/**
 * The keys that answers are sealed with: new ones with the first, old ones with any of them, so that a key is
 * changed by putting a new one before it. Each account has a key of its own, made of it: no number of answers
 * comes near what one key may seal with random nonces (NIST SP 800-38D, section 8.3).
 */
export class KeyRing {
  readonly #secrets: readonly NamedSecret[]

  /** @param secrets of 32 bytes each; at least one, the newest first */
  constructor(secrets: readonly Buffer[]) {
    this.#secrets = secrets.map((secret) => ({ name: nameOf(secret), secret }))
  }

  /** Of the key that seals; rows tell it, and nobody learns the key from it. */
  get name(): string {
    return this.#secrets[0]!.name
  }

  seal(plain: Uint8Array, of: AnswerName, part: Part): Buffer {
    return sealBytes(plain, accountKey(this.#secrets[0]!.secret, of), boundTo(of, part))
  }

  /** @throws where no key is of that name, or it is not what was sealed */
  unseal(sealed: Uint8Array, keyName: string, of: AnswerName, part: Part): Buffer {
    const named = this.#secrets.find(({ name }) => name === keyName)
    if (named === undefined) throw new Error(`responses.encryption_keys has no key of the name ${keyName}`)
    return unsealBytes(sealed, accountKey(named.secret, of), boundTo(of, part))
  }
}

function nameOf(secret: Buffer): string {
  return derivedKey(secret, 'turnpike: name of a key of kept answers').toString('hex', 0, nameBytes)
}

function accountKey(secret: Buffer, { accountId }: AnswerName): Buffer {
  return derivedKey(secret, `turnpike: kept answers of ${accountId}`)
}

/** Neither another account's answer nor another of this one's can be put in its place. */
function boundTo({ accountId, id }: AnswerName, part: Part): string {
  return `${accountId} ${id} ${part}`
}
