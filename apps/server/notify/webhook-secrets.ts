import { KeyRing, type RingPurpose } from '@turnpike/gateway'

const purpose: RingPurpose = { of: 'secrets of webhooks', setting: 'webhooks.encryption_keys' }
const sealedMark = 'sealed'
const part = 'secret'
/** Replaces the account's identifier for webhooks of the operator. */
const operator = 'operator'

interface Owner {
  id: string
  accountId: string | null
}

/** The secrets of webhooks as they are stored: sealed if the configuration has keys for that. */
export class WebhookSecrets {
  readonly #ring: KeyRing | undefined

  /** @param keys 32 bytes each, the newest first; empty: secrets are stored in plain text */
  constructor(keys: readonly Buffer[]) {
    this.#ring = keys.length === 0 ? undefined : new KeyRing(keys, purpose)
  }

  seal(secret: string, owner: Owner): string {
    if (this.#ring === undefined) return secret
    const sealed = this.#ring.seal(Buffer.from(secret), toSealedOwner(owner), part)
    return `${sealedMark}:${this.#ring.name}:${sealed.toString('base64')}`
  }

  /** @throws if no configured key opens it */
  open(kept: string, owner: Owner): string {
    const [mark, keyName = '', sealed = ''] = kept.split(':')
    if (mark !== sealedMark) return kept
    if (this.#ring === undefined) throw new Error(`${purpose.setting} has no key for this secret`)
    return this.#ring.unseal(Buffer.from(sealed, 'base64'), keyName, toSealedOwner(owner), part).toString()
  }
}

const toSealedOwner = ({ id, accountId }: Owner) => ({ id, accountId: accountId ?? operator })
