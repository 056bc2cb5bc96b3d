import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 10)

onEachEngine((opened) => {
  const users = () => opened().storage.identity.users
  const invites = () => opened().storage.identity.invites

  const newUser = (email: string = `${uniqueText()}@example.com`) => ({
    id: newIdentifier('usr'),
    email,
    name: 'Ada',
    passwordHash: 'scrypt$…',
  })

  async function newInvite(email: string | null, expiresAtMs: number = nowMs + 1): Promise<string> {
    const codeHash = uniqueText()
    await invites().create({ id: newIdentifier('inv'), email, createdAtMs: nowMs, expiresAtMs }, codeHash)
    return codeHash
  }

  describe('users of the identity provider', () => {
    test('are made once an email, also by many at once', async () => {
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
      await users().setPasswordHash(user!.id, 'other')
      expect((await users().find(user!.id))?.passwordHash).toBe('other')
      expect(await users().find('usr_none')).toBeUndefined()
    })

    test('use an invitation up, one of many who try at once', async () => {
      const invite = await newInvite(null)
      const results = await Promise.all(
        Array.from({ length: 8 }, () => users().create(newUser(), invite, nowMs)),
      )
      expect(results.filter((result) => 'user' in result)).toHaveLength(1)
      expect(
        results.filter((result) => 'refused' in result && result.refused === 'invite-unknown'),
      ).toHaveLength(7)
    })

    test('whose invitation names their address are vouched for; it is for nobody else', async () => {
      const user = newUser()
      const invite = await newInvite(user.email)
      expect(await users().create(newUser(), invite, nowMs)).toEqual({ refused: 'invite-unknown' })
      expect(await users().create(user, invite, nowMs)).toMatchObject({ user: { emailVerified: true } })
      const anybodys = await users().create(newUser(), await newInvite(null), nowMs)
      expect(anybodys).toMatchObject({ user: { emailVerified: false } })
    })

    test('who are invited again by their address set a new password, and are the same user', async () => {
      const user = newUser()
      await users().create(user, undefined, nowMs)
      const again = { ...newUser(user.email), name: 'Somebody', passwordHash: 'new' }
      expect(await users().create(again, await newInvite(null), nowMs)).toEqual({ refused: 'email-taken' })
      const invite = await newInvite(user.email)
      expect(await users().create(again, invite, nowMs)).toEqual({
        user: { ...user, emailVerified: true, passwordHash: 'new' },
      })
      expect(await users().findByEmail(user.email)).toMatchObject({ id: user.id, passwordHash: 'new' })
      expect(await users().create(again, invite, nowMs)).toEqual({ refused: 'invite-unknown' })
    })

    test('cannot use an invitation that expired, was removed, or never was', async () => {
      expect(await users().create(newUser(), await newInvite(null, nowMs), nowMs)).toHaveProperty('refused')
      expect(await users().create(newUser(), uniqueText(), nowMs)).toHaveProperty('refused')
    })
  })

  describe('invitations', () => {
    test('are listed newest first, and removed unless they were used', async () => {
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
