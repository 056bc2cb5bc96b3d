import { afterDispute, afterRefund, afterSession, sandboxSession } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { newAccount, newKey } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const usd = 1_000_000_000_000n
/** Two of these exceed 64 bits. */
const most = 9_000_000n * usd
const nowMs = 1_800_000_000_000

describe('the total that an account has paid', () => {
  onEachEngine((opened) => {
    async function open(accountId: string, keyId: string | null, amountPico: bigint): Promise<string> {
      const { topups } = opened().storage
      const newTopup = { accountId, keyId, processor: 'sandbox' as const, amountPico, idempotencyKey: null }
      const { id } = await topups.reserve(newTopup, nowMs)
      await topups.attach(id, { sessionId: `sandbox_${id}`, url: null, expiresAtMs: nowMs + 1_000 })
      return id
    }

    async function pay(accountId: string, keyId: string | null, amountPico: bigint): Promise<string> {
      const id = await open(accountId, keyId, amountPico)
      const { topups } = opened().storage
      await topups.change(id, (topup) => afterSession(topup, sandboxSession(topup, 'paid')), nowMs)
      return id
    }

    it('is available wherever the account is, minus what went back', async () => {
      const { accounts, topups } = opened().storage
      const { id } = await newAccount(opened().storage)
      await newKey(opened().storage, id)
      const seen = async (): Promise<unknown[]> => {
        const { rows } = await accounts.list({ limit: 200 })
        return [
          (await accounts.find(id))?.lifetimeTopupPico,
          rows.find((account) => account.id === id)?.lifetimeTopupPico,
          await topups.lifetimePico(id),
        ]
      }
      await pay((await newAccount(opened().storage)).id, null, 7n * usd)
      await open(id, null, 50n * usd)
      expect(await seen()).toEqual([0n, 0n, 0n])
      const first = await pay(id, null, 100n * usd)
      const second = await pay(id, null, 30n * usd)
      expect(await seen()).toEqual([130n * usd, 130n * usd, 130n * usd])
      await topups.change(first, (topup) => afterRefund(topup, 20n * usd, nowMs), nowMs)
      const dispute = { id: 'dp_1', amountPico: 30n * usd, released: false }
      await topups.change(second, (topup) => afterDispute(topup, dispute), nowMs)
      expect(await seen()).toEqual([80n * usd, 80n * usd, 80n * usd])
    })

    it('may exceed 64 bits', async () => {
      const { id } = await newAccount(opened().storage)
      // Each goes to a key of its own, because one key could not hold it all.
      for (let count = 0; count < 2; count++) {
        const key = await newKey(opened().storage, id)
        await pay(id, key.id, most)
      }
      expect((await opened().storage.accounts.find(id))?.lifetimeTopupPico).toBe(2n * most)
    })
  })
})
