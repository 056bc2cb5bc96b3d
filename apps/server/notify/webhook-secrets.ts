import { KeyRing, type RingPurpose } from '@turnpike/gateway'

const purpose: RingPurpose = { of: 'secrets of webhooks', setting: 'webhooks.encryption_keys' }
const sealedMark = 'sealed'
const part = 'secret'
/** In place of an account's identifier, of what is the operator's own. */
const operator = 'operator'

interface Owner {
  id: string
  accountId: string | null
}

/** The secrets of webhooks as the database has them: sealed where the configuration has keys for it. */
export class WebhookSecrets {
  readonly #ring: KeyRing | undefined

  /** @param keys of 32 bytes each, the newest first; none: secrets are kept as they are */
  constructor(keys: readonly Buffer[]) {
    this.#ring = keys.length === 0 ? undefined : new KeyRing(keys, purpose)
  }

  seal(secret: string, owner: Owner): string {
    if (this.#ring === undefined) return secret
    const sealed = this.#ring.seal(Buffer.from(secret), toSealedOwner(owner), part)
    return `${sealedMark}:${this.#ring.name}:${sealed.toString('base64')}`
  }

  /** @throws where no key of the configuration opens it */
  open(kept: string, owner: Owner): string {
    const [mark, keyName = '', sealed = ''] = kept.split(':')
    if (mark !== sealedMark) return kept
    if (this.#ring === undefined) throw new Error(`${purpose.setting} has no key for this secret`)
    return this.#ring.unseal(Buffer.from(sealed, 'base64'), keyName, toSealedOwner(owner), part).toString()
  }
}

const toSealedOwner = ({ id, accountId }: Owner) => ({ id, accountId: accountId ?? operator })
