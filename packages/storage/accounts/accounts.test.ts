import { describe, expect, it } from 'vitest'
import { grant, newAccount, newKey, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  const provision = (account: { subject?: string; email?: string; displayName?: string }) =>
    opened().storage.accounts.provision({ tier: 'free', ...account }, Date.now())

  describe('accounts', () => {
    it('are created once per subject, even if many requests arrive at once', async () => {
      const subject = uniqueText()
      const results = await Promise.all(Array.from({ length: 20 }, () => provision({ subject })))
      expect(results.filter((result) => result.created)).toHaveLength(1)
      expect(new Set(results.map((result) => result.account.id)).size).toBe(1)
    })

    it('created by email belong to the first login, and to no later one', async () => {
      const email = `${uniqueText()}@Example.com`
      const invited = await provision({ email })
      expect(invited.account).toMatchObject({ email: email.toLowerCase(), subject: null, status: 'active' })
      expect(await provision({ email })).toMatchObject({
        created: false,
        account: { id: invited.account.id },
      })
      const first = await provision({ email: email.toUpperCase(), subject: uniqueText(), displayName: 'Ada' })
      expect(first).toMatchObject({
        created: false,
        account: { id: invited.account.id, displayName: 'Ada' },
      })
      const second = await provision({ email, subject: uniqueText() })
      expect(second.created).toBe(true)
      expect(second.account.id).not.toBe(invited.account.id)
    })

    it('change only in the fields that are given', async () => {
      const { storage } = opened()
      const { id } = await newAccount(storage)
      await storage.accounts.update(id, { displayName: 'Grace' })
      expect(await storage.accounts.update(id, { status: 'suspended', tier: 'pro' })).toMatchObject({
        displayName: 'Grace',
        status: 'suspended',
        tier: 'pro',
        operator: false,
      })
      expect(await storage.accounts.update(id, { operator: true })).toMatchObject({
        tier: 'pro',
        operator: true,
      })
      expect(await storage.accounts.update(id, { operator: false })).toMatchObject({ operator: false })
      expect(await storage.accounts.update('acct_none', { tier: 'pro' })).toBeUndefined()
    })

    it('show the credit of their active keys, even beyond 64 bits', async () => {
      const { storage } = opened()
      const { id } = await newAccount(storage)
      const most = 9_000_000n * 10n ** 12n
      for (let index = 0; index < 3; index++) {
        const key = await newKey(storage, id)
        await storage.ledger.move(
          {
            accountId: id,
            keyId: key.id,
            kind: 'grant',
            amountPico: most,
            reference: uniqueText(),
            reason: null,
          },
          Date.now(),
        )
      }
      expect(await storage.accounts.find(id)).toMatchObject({ balancePico: most * 3n, unassignedPico: 0n })
    })

    it('hold credit while they have no key, and give it to the next key', async () => {
      const { storage } = opened()
      const { id } = await newAccount(storage)
      await grant(storage, id, 25n)
      expect(await storage.accounts.find(id)).toMatchObject({ balancePico: 0n, unassignedPico: 25n })
      const key = await newKey(storage, id)
      expect(key.balancePico).toBe(25n)
      expect(await storage.accounts.find(id)).toMatchObject({ balancePico: 25n, unassignedPico: 0n })
    })

    it('accept text that PostgreSQL cannot store', async () => {
      const { account } = await provision({ subject: uniqueText(), displayName: 'a\0b\uD800' })
      expect(account.displayName).toBe('a\uFFFDb\uFFFD')
    })
  })
})
