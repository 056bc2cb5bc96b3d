import type { ApiKeyStore } from '../api-keys/api-key-store.ts'
import type { ApiKey } from '../api-keys/api-key.ts'
import { PayerRefused } from '../api-keys/payer-refused.ts'

/**
 * The keys of one member of an organization: other keys appear not to exist. A new key is the member's, and
 * is paid for by the account's default key or by one of the member's own.
 */
export function ownKeysOnly(keys: ApiKeyStore, memberId: string): ApiKeyStore {
  const own = async (accountId: string, keyId: string): Promise<ApiKey | undefined> => {
    const key = await keys.find(accountId, keyId)
    return key?.memberId === memberId ? key : undefined
  }
  const requireOwnPayer = async (accountId: string, drawsOn: string | null | undefined): Promise<void> => {
    if (drawsOn === undefined || drawsOn === null || drawsOn === 'default') return
    if ((await own(accountId, drawsOn)) === undefined) throw new PayerRefused('unknown-payer')
  }
  return {
    ...keys,
    find: own,
    isOfAccount: (accountId, keyId) => keys.isOfAccount(accountId, keyId, memberId),
    list: (accountId, page, filter) => keys.list(accountId, page, { ...filter, memberId }),
    async create(key, nowMs) {
      await requireOwnPayer(key.accountId, key.drawsOn)
      return keys.create({ ...key, memberId }, nowMs)
    },
    async update(accountId, keyId, changes) {
      if ((await own(accountId, keyId)) === undefined) return undefined
      await requireOwnPayer(accountId, changes.drawsOn)
      return keys.update(accountId, keyId, changes)
    },
    async revoke(accountId, keyId, nowMs) {
      return (await own(accountId, keyId)) && keys.revoke(accountId, keyId, nowMs)
    },
    async rotate(rotation, nowMs) {
      const isOwn = (await own(rotation.accountId, rotation.keyId)) !== undefined
      return isOwn ? keys.rotate(rotation, nowMs) : { refused: 'unknown-key' }
    },
    handOver: async () => ({ refused: 'unknown-key' }),
  }
}
