import {
  hashLinkCode,
  newLinkCode,
  type MailedCodePurpose,
  type ProviderUser,
  type UserToken,
} from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 10)
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const plenty = { toAddress: 1_000, ofUser: 1_000 }

onEachEngine((opened) => {
  const users = () => opened().storage.identity.users
  const codes = () => opened().storage.identity.mailedCodes
  const accounts = () => opened().storage.accounts
  const newEmail = () => `${uniqueText()}@example.com`

  async function registered(email = newEmail()): Promise<ProviderUser & { email: string }> {
    const user = { id: newIdentifier('usr'), email, name: 'Ada', passwordHash: 'first' }
    const made = await users().create(user, undefined, nowMs)
    if ('refused' in made) throw new Error(made.refused)
    return { ...made.user, email }
  }

  async function mailed(
    { id: userId, loginGeneration }: ProviderUser,
    purpose: MailedCodePurpose,
    email: string,
    { atMs = nowMs, limits = plenty } = {},
  ): Promise<{ hash: string; waitSeconds: number }> {
    const hash = hashLinkCode(newLinkCode())
    const code = { codeHash: hash, userId, purpose, email, loginGeneration }
    const expiresAtMs = atMs + (purpose === 'password' ? hourMs : dayMs)
    return { hash, waitSeconds: await codes().add({ ...code, createdAtMs: atMs, expiresAtMs }, limits) }
  }

  async function verified(email?: string): Promise<ProviderUser & { email: string }> {
    const user = await registered(email)
    const { hash } = await mailed(user, 'verify', user.email)
    expect(await codes().prove(hash, user.id, nowMs)).toEqual({ email: user.email })
    return { ...user, emailVerified: true }
  }

  const found = async (user: ProviderUser): Promise<ProviderUser> => (await users().find(user.id))!
  const setPassword = (hash: string, atMs = nowMs) =>
    codes().setPassword(hash, { newUserId: newIdentifier('usr'), passwordHash: 'by mail' }, atMs)
  const signIn = ({ id, email, emailVerified, name, loginGeneration }: ProviderUser) => {
    const token: UserToken = { subject: id, email, emailVerified, name, loginGeneration }
    return accounts().signIn(token, 'free', nowMs)
  }

  describe('a code that verifies an address', () => {
    test('works once; the same person may repeat it without effect', async () => {
      const user = await registered()
      const { hash } = await mailed(user, 'verify', user.email)
      const presses = Array.from({ length: 6 }, () => codes().prove(hash, user.id, nowMs))
      for (const pressed of await Promise.all(presses)) expect(pressed).toEqual({ email: user.email })
      expect(await found(user)).toEqual({ ...user, emailVerified: true })
      await users().changeEmail(user.id, newEmail())
      expect(await codes().prove(hash, user.id, nowMs)).toEqual({ refused: 'unknown' })
      expect(await found(user)).toMatchObject({ emailVerified: false })
    })

    test('does not work for others, later, for another address, or as a password code', async () => {
      const user = await registered()
      const { hash } = await mailed(user, 'verify', user.email)
      const other = await registered()
      expect(await codes().prove(hash, other.id, nowMs)).toEqual({ refused: 'other-user' })
      expect(await codes().prove(hash, user.id, nowMs + dayMs)).toEqual({ refused: 'unknown' })
      expect(await codes().prove('nobody’s', user.id, nowMs)).toEqual({ refused: 'unknown' })
      expect(await codes().maySetPassword(hash, nowMs)).toBe(false)
      expect(await setPassword(hash)).toBeUndefined()
      await users().changeEmail(user.id, newEmail())
      expect(await codes().prove(hash, user.id, nowMs)).toEqual({ refused: 'unknown' })
      expect([await found(user), await found(other)]).toMatchObject([
        { emailVerified: false },
        { emailVerified: false },
      ])
    })

    test('updates the account with the next request, and no other account', async () => {
      const user = await registered()
      const { id } = await signIn(user)
      const { hash } = await mailed(user, 'verify', user.email)
      await codes().prove(hash, user.id, nowMs)
      // An older token says that the address is not verified.
      expect(await signIn(user)).toMatchObject({ id, email: user.email, emailVerified: true })
    })

    test('races with a change of the address: either is applied, never both', async () => {
      for (let round = 0; round < 10; round++) {
        const user = await registered()
        const { hash } = await mailed(user, 'verify', user.email)
        const other = newEmail()
        await Promise.all([codes().prove(hash, user.id, nowMs), users().changeEmail(user.id, other)])
        expect(await found(user)).toMatchObject({ email: other, emailVerified: false })
      }
    })
  })

  describe('a code that changes an address', () => {
    test('changes it once confirmed, and invalidates the code before it', async () => {
      const user = await verified()
      const [first, second] = [newEmail(), newEmail()]
      const before = await mailed(user, 'change', first)
      expect(await codes().pendingEmail(user.id, nowMs)).toBe(first)
      const { hash } = await mailed(user, 'change', second)
      expect(await codes().pendingEmail(user.id, nowMs)).toBe(second)
      expect(await codes().pendingEmail(user.id, nowMs + dayMs)).toBeNull()
      expect(await found(user)).toMatchObject({ email: user.email, emailVerified: true })
      expect(await codes().prove(before.hash, user.id, nowMs)).toEqual({ refused: 'unknown' })
      expect(await codes().prove(hash, user.id, nowMs)).toEqual({ email: second })
      expect(await found(user)).toMatchObject({ email: second, emailVerified: true })
      expect(await codes().pendingEmail(user.id, nowMs)).toBeNull()
    })

    test('takes the address from a user who did not verify it, and only then', async () => {
      const user = await verified()
      const squatter = await registered()
      const squatted = await signIn(squatter)
      const { hash } = await mailed(user, 'change', squatter.email)
      expect(await codes().prove(hash, user.id, nowMs)).toEqual({ email: squatter.email })
      expect(await found(squatter)).toMatchObject({ email: null, passwordHash: 'first' })
      expect(await accounts().find(squatted.id)).toMatchObject({ email: null })
      const owner = await verified()
      const stolen = await mailed(user, 'change', owner.email)
      expect(await codes().prove(stolen.hash, user.id, nowMs)).toEqual({ refused: 'email-taken' })
      expect(await found(owner)).toEqual(owner)
    })

    test('gives an address that two users want to one of them', async () => {
      const email = newEmail()
      const several = await Promise.all(Array.from({ length: 4 }, () => verified()))
      const hashes = await Promise.all(several.map((user) => mailed(user, 'change', email)))
      const results = await Promise.all(
        several.map((user, index) => codes().prove(hashes[index]!.hash, user.id, nowMs)),
      )
      expect(results.filter((result) => 'email' in result)).toHaveLength(1)
      expect(
        results.filter((result) => 'refused' in result && result.refused === 'email-taken'),
      ).toHaveLength(3)
    })

    test('ends with the logins of the user who requested it', async () => {
      const user = await verified()
      const { hash } = await mailed(user, 'change', newEmail())
      const lost = await mailed(user, 'password', user.email)
      expect((await setPassword(lost.hash))?.user.loginGeneration).toBe(1)
      expect(await codes().pendingEmail(user.id, nowMs)).toBeNull()
      expect(await codes().prove(hash, user.id, nowMs)).toEqual({ refused: 'unknown' })
      expect(await found(user)).toMatchObject({ email: user.email })
    })
  })

  describe('a code for a password', () => {
    test('sets it once, and ends every login and all other password codes', async () => {
      const user = await verified()
      const account = await signIn(user)
      const [one, other] = [
        await mailed(user, 'password', user.email),
        await mailed(user, 'password', user.email),
      ]
      const both = await Promise.all([setPassword(one.hash), setPassword(one.hash), setPassword(one.hash)])
      expect(both.filter((result) => result !== undefined)).toEqual([
        {
          user: { ...user, passwordHash: 'by mail', loginGeneration: 1 },
          accountId: account.id,
          keyIds: [],
        },
      ])
      expect(await codes().maySetPassword(other.hash, nowMs)).toBe(false)
      expect(await setPassword(other.hash)).toBeUndefined()
      await expect(signIn(user)).rejects.toMatchObject({ status: 401 })
      expect(await signIn(await found(user))).toMatchObject({ id: account.id })
    })

    test('does not work after an hour, for another address, or after another new password', async () => {
      const user = await verified()
      const late = await mailed(user, 'password', user.email)
      expect(await setPassword(late.hash, nowMs + hourMs)).toBeUndefined()
      const change = { from: 'first', to: 'second', keptSessionId: undefined }
      expect(await users().changePassword(user.id, change)).toBe(true)
      expect(await setPassword(late.hash)).toBeUndefined()
      const moved = await verified()
      const { hash } = await mailed(moved, 'password', moved.email)
      const to = await mailed(moved, 'change', newEmail())
      await codes().prove(to.hash, moved.id, nowMs)
      expect(await setPassword(hash)).toBeUndefined()
    })

    test('for an unverified address creates a new user, without the data of the old one', async () => {
      const squatter = await registered()
      const squatted = await signIn(squatter)
      const [one, other] = [
        await mailed(squatter, 'password', squatter.email),
        await mailed(squatter, 'password', squatter.email),
      ]
      const [claimed, ...rest] = (await Promise.all([setPassword(one.hash), setPassword(other.hash)])).filter(
        (result) => result !== undefined,
      )
      expect(rest).toEqual([])
      expect(claimed).toMatchObject({
        accountId: null,
        user: { email: squatter.email, emailVerified: true, name: null, passwordHash: 'by mail' },
      })
      expect(claimed!.user.id).not.toBe(squatter.id)
      expect(await found(squatter)).toEqual({ ...squatter, email: null })
      const owned = await signIn(claimed!.user)
      expect(owned.id).not.toBe(squatted.id)
      expect(await signIn(squatter)).toMatchObject({ id: squatted.id, email: null, emailVerified: false })
    })

    test('races with the verification by the registered user: one of them gets the address', async () => {
      for (let round = 0; round < 10; round++) {
        const user = await registered()
        const lost = await mailed(user, 'password', user.email)
        const { hash } = await mailed(user, 'verify', user.email)
        await Promise.all([setPassword(lost.hash), codes().prove(hash, user.id, nowMs)])
        const owner = (await users().findByEmail(user.email))!
        expect(owner).toMatchObject({ emailVerified: true, passwordHash: 'by mail' })
        const before = await found(user)
        expect(before.email === null || before.id === owner.id).toBe(true)
      }
    })
  })

  describe('mails with codes', () => {
    test('are limited by address and by user per day, and do not count if they were not sent', async () => {
      const user = await registered()
      const limits = { toAddress: 2, ofUser: 3 }
      const at = (atMs: number) => ({ atMs, limits })
      await mailed(user, 'verify', user.email, at(nowMs))
      const failed = await mailed(user, 'verify', user.email, at(nowMs + hourMs))
      await codes().remove(failed.hash)
      expect((await mailed(user, 'verify', user.email, at(nowMs + 2 * hourMs))).waitSeconds).toBe(0)
      const third = await mailed(user, 'verify', user.email, at(nowMs + 3 * hourMs))
      expect(third.waitSeconds).toBe((21 * hourMs) / 1000)
      expect(await codes().prove(third.hash, user.id, nowMs)).toEqual({ refused: 'unknown' })
      // Anyone may request password mails, so these are counted separately.
      expect((await mailed(user, 'password', user.email, at(nowMs + 3 * hourMs))).waitSeconds).toBe(0)
      for (const waits of [false, false, false, true]) {
        const { waitSeconds } = await mailed(user, 'change', newEmail(), at(nowMs + 3 * hourMs))
        expect(waitSeconds > 0).toBe(waits)
      }
      expect((await mailed(user, 'verify', user.email, at(nowMs + dayMs))).waitSeconds).toBe(0)
    })

    test('for a password stay possible as older ones expire: a stranger cannot use them up', async () => {
      const user = await verified()
      const limits = { toAddress: 2, ofUser: 2, thenEveryMs: hourMs }
      const waitsAt = async (atMs: number) =>
        (await mailed(user, 'password', user.email, { atMs, limits })).waitSeconds
      expect([await waitsAt(nowMs), await waitsAt(nowMs + 1_000)]).toEqual([0, 0])
      expect(await waitsAt(nowMs + 2_000)).toBe(hourMs / 1000 - 1)
      expect(await waitsAt(nowMs + hourMs + 1_000)).toBe(0)
      expect(await waitsAt(nowMs + hourMs + 2_000)).toBe(hourMs / 1000 - 1)
      expect(await waitsAt(nowMs + dayMs + 2_000)).toBe(0)
    })

    test('to one address are counted together, even if several users request them at once', async () => {
      const email = newEmail()
      const people = await Promise.all(Array.from({ length: 8 }, () => registered()))
      const limits = { toAddress: 3, ofUser: 10 }
      const mails = await Promise.all(people.map((person) => mailed(person, 'change', email, { limits })))
      expect(mails.filter(({ waitSeconds }) => waitSeconds === 0)).toHaveLength(3)
    })

    test('still count after their user has closed the account, without the address', async () => {
      const email = newEmail()
      const limits = { toAddress: 2, ofUser: 10 }
      for (const waits of [false, false, true]) {
        const user = await registered(email)
        const { id } = await signIn(user)
        const { hash, waitSeconds } = await mailed(user, 'verify', email, { limits })
        expect(waitSeconds > 0).toBe(waits)
        expect(await accounts().close(id, nowMs)).toBe(true)
        expect(await codes().prove(hash, user.id, nowMs)).toEqual({ refused: 'unknown' })
      }
      await codes().removeExpired(nowMs + dayMs + 1)
      const again = await mailed(await registered(email), 'verify', email, { limits })
      expect(again.waitSeconds).toBe(0)
    })
  })
})
