import { timingSafeEqual } from 'node:crypto'
import { newIdentifier } from '@turnpike/protocol'
import { DevicePolling, pollIntervalSeconds } from '../embedded-provider/interactions/device-polling.ts'
import type {
  DeviceRequest,
  DeviceSignInStore,
  SignIn,
  SignInClient,
  SignInOwner,
  SignedInDevice,
} from './device-sign-in.ts'
import {
  accessTokenOf,
  familyHashOf,
  hashSecret,
  newFamily,
  newSecret,
  newUserCode,
  successorsOf,
  normalizeUserCode,
} from './tokens.ts'
import { hashApiKey } from '../api-keys/raw-key.ts'

const secondMs = 1_000
const dayMs = 86_400_000
/** Lifetime of a code that a device shows (RFC 8628, section 3.2). */
const codeSeconds = 600
const accessMs = 3_600_000
/** A device that is not used for this long is signed out. */
const idleMs = 30 * dayMs
const longestMs = 365 * dayMs
/** For this long a repeated refresh token gets the same response: programs on one device share one. */
const repeatMs = 60_000
const mostOfKey = 20
/** How many codes to try. The chance that one is taken is below 10⁻¹⁰ for each code in use. */
const codeTries = 3

export interface DeviceCodes {
  deviceCode: string
  userCode: string
  expiresInSeconds: number
  intervalSeconds: number
}

export interface DeviceTokens {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  /** Email of the person who approved the device; may be shown to the device's user. */
  email: string | null
}

/** Why there are no tokens, as an error code of RFC 8628, section 3.5, or RFC 6749, section 5.2. */
export type DeviceRefusal =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'

export interface DeviceSignInOptions {
  store: DeviceSignInStore
  /** Unix epoch milliseconds. */
  clock: () => number
  /** A token of this key ended: this node must forget what it has cached of it. */
  onEnded: (keyId: string) => void
}

/** Signs devices in, renews their tokens, and signs them out. People approve a device by its user code. */
export class DeviceSignIns {
  readonly #store: DeviceSignInStore
  readonly #clock: () => number
  readonly #onEnded: (keyId: string) => void
  readonly #polling = new DevicePolling()

  constructor({ store, clock, onEnded }: DeviceSignInOptions) {
    this.#store = store
    this.#clock = clock
    this.#onEnded = onEnded
  }

  /** A device requests a code to show. */
  async begin(client: SignInClient, address: string): Promise<DeviceCodes> {
    const createdAtMs = this.#clock()
    const deviceCode = newSecret()
    for (let left = codeTries; left > 0; left--) {
      const userCode = newUserCode()
      const isNew = await this.#store.begin({
        deviceCodeHash: hashSecret(deviceCode),
        userCode,
        client,
        address,
        createdAtMs,
        expiresAtMs: createdAtMs + codeSeconds * secondMs,
      })
      if (isNew)
        return { deviceCode, userCode, expiresInSeconds: codeSeconds, intervalSeconds: pollIntervalSeconds }
    }
    throw new Error('no user code is free')
  }

  /** The request that waits for a decision under this code; undefined if there is none. */
  async waiting(typed: string): Promise<DeviceRequest | undefined> {
    const userCode = normalizeUserCode(typed)
    return userCode === undefined ? undefined : this.#store.findWaiting(userCode, this.#clock())
  }

  /**
   * False if the request was decided in the meantime, or has expired.
   * @param readyKey prepares the key; called for only one of several simultaneous approvals. If it rejects,
   * the device waits again, and this rejects with the same error.
   */
  async approve(
    { userCode }: DeviceRequest,
    accountId: string,
    readyKey: () => Promise<{ id: string }>,
  ): Promise<boolean> {
    if (!(await this.#store.claim(userCode, accountId, this.#clock()))) return false
    let key: { id: string }
    try {
      key = await readyKey()
    } catch (error) {
      await this.#store.release(userCode, accountId)
      throw error
    }
    return this.#store.approve(userCode, accountId, key.id)
  }

  /** False if the request was decided in the meantime, or has expired. */
  deny({ userCode }: DeviceRequest): Promise<boolean> {
    return this.#store.deny(userCode, this.#clock())
  }

  keyFor(accountId: string, client: SignInClient, memberId: string | null): Promise<string | undefined> {
    return this.#store.keyFor(accountId, client, this.#clock(), memberId)
  }

  /** A device asks whether it was approved; it gets its tokens once. */
  async poll(deviceCode: string): Promise<DeviceTokens | DeviceRefusal> {
    const nowMs = this.#clock()
    const deviceCodeHash = hashSecret(deviceCode)
    const request = await this.#store.findByDeviceCode(deviceCodeHash)
    if (request === undefined || request.status === 'used') return 'invalid_grant'
    if (request.status === 'denied') return 'access_denied'
    if (request.expiresAtMs <= nowMs) return 'expired_token'
    if (request.status === 'pending')
      return this.#polling.isTooEarly(deviceCodeHash, nowMs) ? 'slow_down' : 'authorization_pending'
    return this.#start(deviceCodeHash, nowMs)
  }

  async #start(deviceCodeHash: string, nowMs: number): Promise<DeviceTokens | DeviceRefusal> {
    const { familyHash, salt, refreshToken } = newFamily()
    const access = accessTokenOf(newSecret(), salt)
    const owner = await this.#store.start(
      deviceCodeHash,
      {
        id: newIdentifier('sgn', nowMs),
        familyHash,
        salt,
        refreshHash: hashSecret(refreshToken),
        accessHash: access.hash,
        accessExpiresAtMs: nowMs + accessMs,
        nowMs,
        expiresAtMs: nowMs + idleMs,
      },
      mostOfKey,
    )
    if (owner === undefined) return 'invalid_grant'
    // The key's oldest sign-in may have ended to make room.
    this.#onEnded(owner.keyId)
    return tokens(access.raw, refreshToken, accessMs, owner)
  }

  /**
   * Exchanges a refresh token for new tokens. A refresh token is valid once: its repetition within a minute
   * gets the same response, and a later repetition ends the sign-in, since one of its two holders must be a
   * thief (RFC 9700, section 4.14).
   */
  async refresh(refreshToken: string): Promise<DeviceTokens | 'invalid_grant'> {
    const nowMs = this.#clock()
    const signIn = await this.#find(refreshToken, nowMs)
    if (signIn === undefined || !signIn.isUsable) return 'invalid_grant'
    const next = successorsOf(refreshToken, signIn.salt)
    const fromHash = hashSecret(refreshToken)
    const answer = (expiresInMs: number) => tokens(next.access.raw, next.refreshToken, expiresInMs, signIn)
    const isLatest = isEqual(fromHash, signIn.refreshHash)
    const change = {
      fromHash,
      refreshHash: hashSecret(next.refreshToken),
      accessHash: next.access.hash,
      accessExpiresAtMs: nowMs + accessMs,
      nowMs,
      expiresAtMs: Math.min(nowMs + idleMs, signIn.createdAtMs + longestMs),
    }
    if (isLatest && (await this.#store.renew(signIn.id, change))) return answer(accessMs)
    // A simultaneous request with the same token was faster: both get the same response.
    if (isLatest) return answer(accessMs)
    const isRepeated = signIn.previousRefreshHash !== null && isEqual(fromHash, signIn.previousRefreshHash)
    const sinceMs = nowMs - signIn.refreshedAtMs
    if (isRepeated && sinceMs < repeatMs) return answer(accessMs - sinceMs)
    await this.#end(signIn)
    return 'invalid_grant'
  }

  /** Signs a device out by either of its tokens (RFC 7009). False for anything else. */
  async revoke(token: string): Promise<boolean> {
    const signIn = familyHashOf(token) === undefined ? undefined : await this.#find(token, this.#clock())
    const found = signIn ?? (await this.#store.findByAccess(hashApiKey(token)))
    if (found === undefined) return false
    await this.#end(found)
    return true
  }

  /** The devices of an account. */
  list(accountId: string): Promise<SignedInDevice[]> {
    return this.#store.listOf(accountId, this.#clock())
  }

  /** Ends one or all of the account's sign-ins. False if there was none. */
  async endOf(accountId: string, id?: string): Promise<boolean> {
    const keyIds = await this.#store.endOf(accountId, id)
    for (const keyId of keyIds) this.#onEnded(keyId)
    return keyIds.length > 0
  }

  async #find(refreshToken: string, nowMs: number): Promise<SignIn | undefined> {
    const familyHash = familyHashOf(refreshToken)
    const signIn = familyHash === undefined ? undefined : await this.#store.find(familyHash, nowMs)
    return signIn === undefined || signIn.expiresAtMs <= nowMs ? undefined : signIn
  }

  async #end({ id, keyId }: { id: string; keyId: string }): Promise<void> {
    await this.#store.end(id)
    this.#onEnded(keyId)
  }
}

function tokens(
  accessToken: string,
  refreshToken: string,
  expiresInMs: number,
  { email, emailVerified }: SignInOwner,
): DeviceTokens {
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: Math.floor(expiresInMs / secondMs),
    // The address is not verified, so anybody may have entered it.
    email: email === null || emailVerified ? email : `${email} (not verified)`,
  }
}

function isEqual(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}
