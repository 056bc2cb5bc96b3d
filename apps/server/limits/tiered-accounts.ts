import type { Account, AccountStore } from '@turnpike/identity'
import type { TierTable } from '@turnpike/limits'
import { invalidRequest } from '@turnpike/protocol'
import type { Configuration } from '../configuration/configuration.ts'

/** Shows accounts in the tier that they have reached. Assigning an unknown tier throws a 400. */
export function withCurrentTiers(
  store: AccountStore,
  tiers: TierTable,
  configured: Configuration['limits'],
): AccountStore {
  const known = configured.tiers.map(({ name }) => name)
  const withTier = (account: Account): Account => ({ ...account, tier: tiers.tierOf(account) })
  const requireKnown = (tier: string | undefined): void => {
    if (tier === undefined || known.includes(tier)) return
    throw invalidRequest('tier', `\`tier\`: expected one of ${known.join(', ')}, got "${tier}".`)
  }
  return {
    operatorEmails: () => store.operatorEmails(),
    async provision(account, nowMs) {
      requireKnown(account.tier)
      const { account: made, created } = await store.provision(account, nowMs)
      return { account: withTier(made), created }
    },
    signIn: async (user, tier, nowMs) => withTier(await store.signIn(user, tier, nowMs)),
    async find(accountId) {
      const account = await store.find(accountId)
      return account === undefined ? undefined : withTier(account)
    },
    async list(page, filter) {
      const { rows, nextCursor } = await store.list(page, filter)
      return { rows: rows.map(withTier), nextCursor }
    },
    close: (accountId, nowMs) => store.close(accountId, nowMs),
    async update(accountId, changes) {
      requireKnown(changes.tier)
      const account = await store.update(accountId, changes)
      return account === undefined ? undefined : withTier(account)
    },
  }
}
