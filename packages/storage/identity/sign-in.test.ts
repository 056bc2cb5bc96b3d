import type { UserToken } from '@turnpike/identity'
import { describe, expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  const accounts = () => opened().storage.accounts
  const signIn = (user: Partial<UserToken> & { subject: string }) =>
    accounts().signIn({ email: null, emailVerified: false, name: null, ...user }, 'free', Date.now())

  describe('the first sign-in of a subject', () => {
    test('creates its account once, even with concurrent requests', async () => {
      const subject = uniqueText()
      const made = await Promise.all(Array.from({ length: 20 }, () => signIn({ subject, name: 'Ada' })))
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(made[0]).toMatchObject({ subject, displayName: 'Ada', status: 'active', tier: 'free' })
    })

    test('takes over the account created for its email, if the issuer vouches for the email', async () => {
      const email = `${uniqueText()}@example.com`
      const { account } = await accounts().provision({ email, tier: 'gold' }, Date.now())
      const squatter = await signIn({ subject: uniqueText(), email, emailVerified: false })
      expect(squatter.id).not.toBe(account.id)
      const owner = await signIn({ subject: uniqueText(), email, emailVerified: true, name: 'Ada' })
      expect(owner).toMatchObject({ id: account.id, email, displayName: 'Ada', tier: 'gold' })
      const other = await signIn({ subject: uniqueText(), email, emailVerified: true })
      expect(other.id).not.toBe(account.id)
    })

    test('with a verified address takes it from an account that had it before', async () => {
      const email = `${uniqueText()}@example.com`
      const former = await signIn({ subject: uniqueText(), email, emailVerified: true })
      await signIn({ subject: uniqueText(), email })
      const found = async () => (await accounts().provision({ email, tier: 'free' }, Date.now())).account.id
      expect(await found()).toBe(former.id)
      const now = await signIn({ subject: uniqueText(), email, emailVerified: true })
      expect(await found()).toBe(now.id)
      expect(await accounts().find(former.id)).toMatchObject({ email, emailVerified: false })
    })

    test("does not take over an operator's account if the caller excludes those", async () => {
      const email = `${uniqueText()}@example.com`
      const { account } = await accounts().provision({ email, tier: 'free' }, Date.now())
      await accounts().update(account.id, { operator: true })
      const bind = (sparesOperators: boolean) =>
        accounts().provision({ email, subject: uniqueText(), tier: 'free', sparesOperators }, Date.now())
      await expect(bind(true)).rejects.toMatchObject({ status: 403, param: 'email' })
      expect((await bind(false)).account).toMatchObject({ id: account.id, operator: true })
    })

    test('with an unverified email cannot be found by an operator who provisions that email', async () => {
      const email = `${uniqueText()}@example.com`
      const squatter = await signIn({ subject: uniqueText(), email })
      const { account, created } = await accounts().provision({ email, tier: 'free' }, Date.now())
      expect([created, account.id === squatter.id]).toEqual([true, false])
    })
  })

  describe('the profile', () => {
    test('follows the token, and keeps what the token omits', async () => {
      const subject = uniqueText()
      const first = await signIn({ subject, email: 'a@example.com', name: 'Ada' })
      expect(await signIn({ subject })).toEqual(first)
      expect(await signIn({ subject, email: 'b@example.com', name: 'Ada Lovelace' })).toMatchObject({
        id: first.id,
        email: 'b@example.com',
        displayName: 'Ada Lovelace',
      })
    })

    test('keeps the name that the user chose here, until the issuer sends another one', async () => {
      const subject = uniqueText()
      const { id } = await signIn({ subject, name: 'Ada' })
      await accounts().update(id, { displayName: 'Countess' })
      expect((await signIn({ subject, name: 'Ada' })).displayName).toBe('Countess')
      expect((await signIn({ subject, name: 'Grace' })).displayName).toBe('Grace')
    })
  })
})
