import type { Account, Invitation, ProviderUser, UserToken } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 10)

onEachEngine((opened) => {
  const users = () => opened().storage.identity.users
  const invites = () => opened().storage.identity.invites
  const accounts = () => opened().storage.accounts

  const newUser = (email: string = `${uniqueText()}@example.com`) => ({
    id: newIdentifier('usr'),
    email,
    name: 'Ada',
    passwordHash: 'scrypt$…',
  })

  async function newInvite(
    email: string | null,
    { expiresAtMs = nowMs + 1, bySecret = true } = {},
  ): Promise<Invitation> {
    const codeHash = uniqueText()
    const invite = { id: newIdentifier('inv'), email, createdAtMs: nowMs, expiresAtMs, bySecret }
    await invites().create(invite, codeHash)
    return { codeHash, isForOperator: false }
  }

  /** The embedded provider's access token for a user. */
  const tokenOf = ({ id, email, emailVerified, name, loginGeneration }: ProviderUser): UserToken => ({
    subject: id,
    email,
    emailVerified,
    name,
    loginGeneration,
  })
  const signIn = (token: UserToken): Promise<Account> => accounts().signIn(token, 'free', nowMs)

  async function made(user = newUser(), invitation?: Invitation): Promise<ProviderUser> {
    const result = await users().create(user, invitation, nowMs)
    if ('refused' in result) throw new Error(result.refused)
    return result.user
  }

  describe('users of the identity provider', () => {
    test('are created once per email, even concurrently', async () => {
      const email = `${uniqueText()}@example.com`
      const results = await Promise.all(
        Array.from({ length: 10 }, () => users().create(newUser(email), undefined, nowMs)),
      )
      expect(results.filter((result) => 'user' in result)).toHaveLength(1)
      expect(
        results.filter((result) => 'refused' in result && result.refused === 'email-taken'),
      ).toHaveLength(9)
      const user = await users().findByEmail(email)
      expect(user).toMatchObject({ email, emailVerified: false, name: 'Ada' })
      expect(await users().find(user!.id)).toEqual(user)
      await users().replacePasswordHash(user!.id, user!.passwordHash, 'other')
      expect((await users().find(user!.id))?.passwordHash).toBe('other')
      // A hash that was changed meanwhile is not replaced.
      await users().replacePasswordHash(user!.id, user!.passwordHash, 'of the old one')
      expect((await users().find(user!.id))?.passwordHash).toBe('other')
      expect(await users().find('usr_none')).toBeUndefined()
    })

    test('use up an invitation once, even concurrently', async () => {
      const invite = await newInvite(null)
      const results = await Promise.all(
        Array.from({ length: 8 }, () => users().create(newUser(), invite, nowMs)),
      )
      expect(results.filter((result) => 'user' in result)).toHaveLength(1)
      expect(
        results.filter((result) => 'refused' in result && result.refused === 'invite-unknown'),
      ).toHaveLength(7)
    })

    test('invited by their address are verified; nobody else can use that invitation', async () => {
      const user = newUser()
      const invite = await newInvite(user.email)
      expect(await users().create(newUser(), invite, nowMs)).toEqual({ refused: 'invite-unknown' })
      expect(await users().create(user, invite, nowMs)).toMatchObject({ user: { emailVerified: true } })
      const anybodys = await users().create(newUser(), await newInvite(null), nowMs)
      expect(anybodys).toMatchObject({ user: { emailVerified: false } })
    })

    test('invited again by their address get a new password, and all their logins end', async () => {
      const user = newUser()
      const first = await made(user, await newInvite(user.email))
      const account = await signIn(tokenOf(first))
      const again = { ...newUser(user.email), name: 'Somebody', passwordHash: 'new' }
      expect(await users().create(again, await newInvite(null), nowMs)).toEqual({ refused: 'email-taken' })
      const invite = await newInvite(user.email)
      const recovered = { ...user, emailVerified: true, passwordHash: 'new', loginGeneration: 1 }
      expect(await users().create(again, invite, nowMs)).toEqual({ user: recovered })
      expect(await users().findByEmail(user.email)).toEqual(recovered)
      expect(await users().create(again, invite, nowMs)).toEqual({ refused: 'invite-unknown' })
      await expect(signIn(tokenOf(first))).rejects.toMatchObject({ status: 401 })
      expect(await signIn(tokenOf(recovered))).toMatchObject({ id: account.id, emailVerified: true })
    })

    test('who gave an address first lose it, and nothing else, to the user invited to it', async () => {
      const email = `${uniqueText()}@example.com`
      const squatter = await made(newUser(email))
      const squatted = await signIn(tokenOf(squatter))
      expect(squatted).toMatchObject({ email, emailVerified: false })
      const owner = await made({ ...newUser(email), passwordHash: 'own' }, await newInvite(email))
      expect(owner).toMatchObject({ email, emailVerified: true, passwordHash: 'own', loginGeneration: 0 })
      expect(owner.id).not.toBe(squatter.id)
      expect(await users().findByEmail(email)).toEqual(owner)
      expect(await accounts().find(squatted.id)).toMatchObject({ email: null, emailVerified: false })
      // An older token still contains the address.
      expect(await signIn(tokenOf(squatter))).toMatchObject({ id: squatted.id, email: null })
      expect(await users().find(squatter.id)).toEqual({ ...squatter, email: null })
      expect(await users().findByEmail(squatter.id)).toBeUndefined()
      const owned = await signIn(tokenOf(owner))
      expect(owned).toMatchObject({ email, emailVerified: true })
      expect(owned.id).not.toBe(squatted.id)
      const provisioned = await accounts().provision({ email, tier: 'free' }, nowMs)
      expect(provisioned).toMatchObject({ created: false, account: { id: owned.id } })
    })

    test('do not get an operator-created account by giving its address', async () => {
      const email = `${uniqueText()}@example.com`
      const { account } = await accounts().provision({ email, tier: 'free' }, nowMs)
      const squatter = await made(newUser(email))
      expect((await signIn(tokenOf(squatter))).id).not.toBe(account.id)
      const owner = await made(newUser(email), await newInvite(email))
      expect((await signIn(tokenOf(squatter))).id).not.toBe(account.id)
      expect((await signIn(tokenOf(owner))).id).toBe(account.id)
    })

    test('are recovered once by one invitation, and twice by two, even concurrently', async () => {
      const email = `${uniqueText()}@example.com`
      await made(newUser(email))
      const one = await newInvite(email)
      const tries = await Promise.all(
        Array.from({ length: 8 }, () => users().create(newUser(email), one, nowMs)),
      )
      expect(tries.filter((result) => 'user' in result)).toHaveLength(1)
      const more = await Promise.all(Array.from({ length: 6 }, () => newInvite(email)))
      const redeemed = await Promise.all(more.map((invite) => made(newUser(email), invite)))
      const { id } = (await users().findByEmail(email))!
      expect(new Set(redeemed.map((user) => user.id))).toEqual(new Set([id]))
      // Each recovery ended all logins before it, and its own login was still valid when it returned.
      const generations = redeemed.map(({ loginGeneration }) => loginGeneration)
      expect(generations.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    })

    test('become one user if several redeem invitations to an address that another had given', async () => {
      const email = `${uniqueText()}@example.com`
      const squatter = await made(newUser(email))
      const several = await Promise.all(Array.from({ length: 6 }, () => newInvite(email)))
      const redeemed = await Promise.all(several.map((invite) => made(newUser(email), invite)))
      expect(new Set(redeemed.map(({ id }) => id)).size).toBe(1)
      expect(redeemed[0]!.id).not.toBe(squatter.id)
      expect(await users().find(squatter.id)).toEqual({ ...squatter, email: null })
    })

    test("get an operator's address only through an invitation made with the secret", async () => {
      const listed = newUser()
      const byToken = await newInvite(listed.email, { bySecret: false })
      expect(await users().create(listed, { ...byToken, isForOperator: true }, nowMs)).toEqual({
        refused: 'invite-without-secret',
      })
      const bySecret = await newInvite(listed.email)
      expect(await users().create(listed, { ...bySecret, isForOperator: true }, nowMs)).toHaveProperty('user')
      // Marked as an operator's after the invitation was created.
      const marked = newUser()
      const owner = await made(marked, await newInvite(marked.email, { bySecret: false }))
      const second = await newInvite(marked.email, { bySecret: false })
      await accounts().update((await signIn(tokenOf(owner))).id, { operator: true })
      expect(await users().create(newUser(marked.email), second, nowMs)).toHaveProperty('refused')
      expect(await users().find(owner.id)).toEqual(owner)
      expect(await accounts().operatorEmails()).toContain(marked.email)
      const awaited = newUser()
      const { account } = await accounts().provision({ email: awaited.email, tier: 'free' }, nowMs)
      await accounts().update(account.id, { operator: true })
      const third = await newInvite(awaited.email, { bySecret: false })
      expect(await users().create(awaited, third, nowMs)).toEqual({ refused: 'invite-without-secret' })
    })

    test('cannot use an invitation that is expired, removed or unknown', async () => {
      expect(
        await users().create(newUser(), await newInvite(null, { expiresAtMs: nowMs }), nowMs),
      ).toHaveProperty('refused')
      const never = { codeHash: uniqueText(), isForOperator: false }
      expect(await users().create(newUser(), never, nowMs)).toHaveProperty('refused')
    })
  })

  describe('invitations', () => {
    test('are listed newest first, and can be removed until they are used', async () => {
      const used = await newInvite(null)
      await users().create(newUser(), used, nowMs)
      await newInvite('grace@example.com')
      const first = await invites().list({ limit: 1 })
      expect(first.rows).toMatchObject([{ email: 'grace@example.com', usedAtMs: null, createdAtMs: nowMs }])
      const second = await invites().list({ limit: 1, cursor: first.nextCursor! })
      expect(second.rows).toMatchObject([{ email: null, usedAtMs: nowMs }])
      expect(await invites().remove(second.rows[0]!.id)).toBe(false)
      expect(await invites().remove(first.rows[0]!.id)).toBe(true)
      expect(await invites().remove(first.rows[0]!.id)).toBe(false)
    })
  })
})
