import { hash } from 'node:crypto'
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider'
import { userIdOf } from './logins/login.ts'
import type { FoundState, ProviderStateStore } from './stores.ts'

/**
 * Records that are credentials by themselves, and are looked up only by themselves, are stored by their
 * SHA-256: somebody who reads the database cannot use them. Device codes are also looked up by their user
 * code, sessions by their uid.
 */
const keptAsHash = new Set(['RefreshToken', 'AuthorizationCode'])

/**
 * Connects `oidc-provider` to our store: one adapter per model.
 * @param isCurrent false for a login that has ended; its browser session then counts as signed out
 * @param onGrantEnded called so that what belongs to the grant can end with it
 * @param findClient finds clients that the configuration does not list
 */
export function stateAdapter(
  store: ProviderStateStore,
  clock: () => number,
  isCurrent: (login: string, browserUid: string | undefined) => Promise<boolean>,
  findClient: (id: string) => Promise<AdapterPayload | undefined>,
  onGrantEnded: (grantId: string) => Promise<void>,
): AdapterFactory {
  return (kind) => {
    // No client is stored: every client but our own brings its own metadata.
    if (kind === 'Client') return { ...plainAdapter(kind, store, clock), find: findClient }
    if (kind === 'Session') return sessionAdapter(plainAdapter(kind, store, clock), isCurrent)
    if (kind === 'Grant') return grantAdapter(plainAdapter(kind, store, clock), onGrantEnded)
    return (keptAsHash.has(kind) ? hashedAdapter : plainAdapter)(kind, store, clock)
  }
}

function grantAdapter(plain: Adapter, onEnded: (grantId: string) => Promise<void>): Adapter {
  return {
    ...plain,
    async destroy(id) {
      await plain.destroy(id)
      await onEnded(id)
    },
  }
}

function sessionAdapter(
  plain: Adapter,
  isCurrent: (login: string, browserUid: string | undefined) => Promise<boolean>,
): Adapter {
  const current = async (payload: AdapterPayload | undefined | void): Promise<AdapterPayload | undefined> => {
    if (!payload) return undefined
    const { accountId, uid } = payload
    return accountId === undefined || (await isCurrent(accountId, uid)) ? payload : undefined
  }
  return {
    ...plain,
    find: async (id) => current(await plain.find(id)),
    findByUid: async (uid) => current(await plain.findByUid(uid)),
  }
}

function plainAdapter(kind: string, store: ProviderStateStore, clock: () => number): Adapter {
  return {
    async upsert(id, payload, expiresInSeconds) {
      await store.write({
        kind,
        id,
        payload: { ...payload },
        uid: payload.uid ?? ownerOf(kind, payload),
        userCode: payload.userCode ?? null,
        grantId: payload.grantId ?? null,
        expiresAtMs: expiresInSeconds === undefined ? null : clock() + expiresInSeconds * 1000,
      })
    },
    find: async (id) => payloadOf(await store.find(kind, id)),
    findByUid: async (uid) => payloadOf(await store.findByUid(kind, uid)),
    findByUserCode: async (userCode) => payloadOf(await store.findByUserCode(kind, userCode)),
    async consume(id) {
      // Of two simultaneous uses of a code or refresh token, both of which found it unused, one fails here.
      if (!(await store.consume(kind, id, clock()))) throw new errors.InvalidGrant('already used')
    },
    destroy: (id) => store.remove(kind, id),
    revokeByGrantId: (grantId) => store.removeOfGrant(kind, grantId),
  }
}

function hashedAdapter(kind: string, store: ProviderStateStore, clock: () => number): Adapter {
  const plain = plainAdapter(kind, store, clock)
  const hashId = (id: string): string => hash('sha256', id, 'base64url')
  return {
    ...plain,
    upsert: (id, payload, expiresInSeconds) =>
      plain.upsert(hashId(id), { ...payload, jti: undefined }, expiresInSeconds),
    async find(id) {
      const payload = await plain.find(hashId(id))
      return payload === undefined ? undefined : { ...payload, jti: id }
    },
    consume: (id) => plain.consume(hashId(id)),
    destroy: (id) => plain.destroy(hashId(id)),
  }
}

/** Grants are also found by the user they belong to. */
function ownerOf(kind: string, { accountId }: AdapterPayload): string | null {
  return kind === 'Grant' && accountId !== undefined ? userIdOf(accountId) : null
}

function payloadOf(found: FoundState | undefined): AdapterPayload | undefined {
  if (found === undefined) return undefined
  const { payload, consumedAtMs } = found
  return consumedAtMs === null ? payload : { ...payload, consumed: Math.floor(consumedAtMs / 1000) }
}
