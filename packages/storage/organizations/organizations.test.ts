import { describe, expect, it } from 'vitest'
import { newAccount, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { invite, newOrganization, refusalOf } from './testing/organization.ts'

onEachEngine((opened) => {
  const store = () => opened().storage.organizations

  describe('an organization', () => {
    it('is an account without address and subject, owned by its creator', async () => {
      const { storage, database } = opened()
      const { id, founder } = await newOrganization(storage)
      const account = await storage.accounts.find(id)
      expect(account).toMatchObject({
        kind: 'organization',
        displayName: 'Engines',
        email: null,
        subject: null,
      })
      expect(founder.role).toBe('owner')
      expect(await store().ofPerson(founder.personId)).toMatchObject([
        { id, name: 'Engines', role: 'owner', isOnlyOwner: true },
      ])
      const taken = `UPDATE accounts SET email = 'x@example.com', email_verified = 1 WHERE id = '${id}'`
      await expect(database.execute(taken)).rejects.toThrow()
      const signed = `UPDATE accounts SET subject = 'somebody' WHERE id = '${id}'`
      await expect(database.execute(signed)).rejects.toThrow()
    })

    it('has further owners, whose invitations stay valid', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const admin = await organization.join('admin')
      const code = await invite(storage, id, 'admin', { ...admin, role: 'admin' })
      const changes = { role: 'owner', by: founder } as const
      expect(await store().changeMember(id, admin.memberId, changes, Date.now())).toMatchObject({
        role: 'owner',
      })
      const { id: personId } = await newAccount(storage)
      expect(await store().acceptInvitation(code, personId, Date.now())).toBe(id)
    })

    it('counts towards its creator’s limit, even if all are created at once', async () => {
      const { id: personId } = await newAccount(opened().storage)
      const made = { name: 'x', personId, tier: 'free', toldRoles: [], mostOfPerson: 3 }
      const results = await Promise.all(
        Array.from({ length: 8 }, () => refusalOf(store().create(made, Date.now()))),
      )
      expect(results.filter((one) => one === undefined)).toHaveLength(3)
      expect(await store().ofPerson(personId)).toHaveLength(3)
    })

    it('is hidden from people who are not members, and from all once it is closed', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const other = await newOrganization(storage)
      expect(await store().actingMember(id, other.founder.personId)).toBeUndefined()
      expect(await store().member(id, other.founder.memberId)).toBeUndefined()
      const changes = { role: 'viewer' as const, by: founder }
      expect(await refusalOf(store().changeMember(id, other.founder.memberId, changes, Date.now()))).toBe(
        'unknown',
      )
      const removal = { keysGo: 'revoked' as const, by: founder }
      expect(await refusalOf(store().removeMember(id, other.founder.memberId, removal, Date.now()))).toBe(
        'unknown',
      )
      await storage.accounts.close(id, Date.now())
      expect(await store().actingMember(id, founder.personId)).toBeUndefined()
      expect(await refusalOf(invite(storage, id, 'viewer', founder))).toBe('unknown')
    })

    it('keeps an owner, even if owners leave at the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        const organization = await newOrganization(opened().storage)
        const { id, founder } = organization
        const second = await organization.join('owner')
        const results = await Promise.all([
          refusalOf(store().changeMember(id, founder.memberId, { role: 'viewer', by: second }, Date.now())),
          refusalOf(
            store().removeMember(id, second.memberId, { keysGo: 'organization', by: 'self' }, Date.now()),
          ),
        ])
        expect(results.filter((one) => one === undefined)).toHaveLength(1)
        const { rows } = await store().members(id, { limit: 10 })
        expect(rows.filter(({ role, status }) => role === 'owner' && status === 'active')).toHaveLength(1)
      }
    })

    it('counts no owner who cannot sign in', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const second = await organization.join('owner')
      await storage.accounts.update(second.personId, { status: 'suspended' })
      const leaving = { keysGo: 'organization' as const, by: 'self' as const }
      expect(await refusalOf(store().removeMember(id, founder.memberId, leaving, Date.now()))).toBe(
        'last-owner',
      )
    })
  })

  describe('a role', () => {
    it('cannot be given or taken by a lower rank', async () => {
      const organization = await newOrganization(opened().storage)
      const { id, founder } = organization
      const admin = await organization.join('admin')
      const developer = await organization.join('developer')
      const change = (memberId: string, role: 'owner' | 'admin' | 'viewer', by: typeof admin) =>
        refusalOf(store().changeMember(id, memberId, { role, by }, Date.now()))
      expect(await change(developer.memberId, 'owner', admin)).toBe('above-rank')
      expect(await change(founder.memberId, 'viewer', admin)).toBe('above-rank')
      expect(await change(admin.memberId, 'viewer', developer)).toBe('above-rank')
      expect(await refusalOf(invite(opened().storage, id, 'owner', admin))).toBe('above-rank')
      const removal = { keysGo: 'revoked' as const, by: admin }
      expect(await refusalOf(store().removeMember(id, founder.memberId, removal, Date.now()))).toBe(
        'above-rank',
      )
      expect(await change(developer.memberId, 'admin', admin)).toBeUndefined()
    })

    it('is checked as it is now, not as it was when the request came', async () => {
      const organization = await newOrganization(opened().storage)
      const { id, founder } = organization
      const admin = await organization.join('admin')
      await store().changeMember(id, admin.memberId, { role: 'viewer', by: founder }, Date.now())
      const changes = { role: 'admin' as const, by: admin }
      expect(await refusalOf(store().changeMember(id, admin.memberId, changes, Date.now()))).toBe(
        'above-rank',
      )
    })
  })

  describe('an invitation', () => {
    it('works once, even concurrently', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const code = await invite(storage, id, 'developer', founder)
      const people = await Promise.all(Array.from({ length: 6 }, () => newAccount(storage)))
      const results = await Promise.all(
        people.map((person) => refusalOf(store().acceptInvitation(code, person.id, Date.now()))),
      )
      expect(results.filter((one) => one === undefined)).toHaveLength(1)
      expect(results.filter((one) => one === 'invitation-used')).toHaveLength(5)
      expect((await store().members(id, { limit: 10 })).rows).toHaveLength(2)
      expect(await store().previewInvitation(code, Date.now())).toBe('used')
      // A client whose response was lost sends the request again.
      const joined = people[results.indexOf(undefined)]!
      expect(await refusalOf(store().acceptInvitation(code, joined.id, Date.now()))).toBe('already-member')
      expect(await refusalOf(store().acceptInvitation('none', joined.id, Date.now()))).toBe('unknown')
    })

    it('reports that its organization is suspended or closed, unless it had ended before', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const code = await invite(storage, id, 'developer', founder)
      const person = await newAccount(storage)
      for (const status of ['suspended', 'closed'] as const) {
        await storage.accounts.update(id, { status })
        const refused = await refusalOf(store().acceptInvitation(code, person.id, Date.now()))
        expect(refused).toBe(`invitation-${status}`)
        expect(await store().previewInvitation(code, Date.now())).toBe(status)
      }
      const late = Date.now() + 61_000
      expect(await refusalOf(store().acceptInvitation(code, person.id, late))).toBe('invitation-expired')
    })

    it('ends when it expires, is revoked, or its giver loses the rank to give it', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const person = await newAccount(storage)
      const accept = (code: string, nowMs = Date.now()) =>
        refusalOf(store().acceptInvitation(code, person.id, nowMs))
      const late = await invite(storage, id, 'viewer', founder)
      expect(await accept(late, Date.now() + 61_000)).toBe('invitation-expired')
      const { rows } = await store().invitations(id, { limit: 1 })
      await store().revokeInvitation(id, rows[0]!.id, founder, Date.now())
      await store().revokeInvitation(id, rows[0]!.id, founder, Date.now())
      expect(await accept(late)).toBe('invitation-revoked')
      const admin = await organization.join('admin')
      const byAdmin = await invite(storage, id, 'viewer', admin)
      await store().changeMember(id, admin.memberId, { role: 'developer', by: founder }, Date.now())
      expect(await accept(byAdmin)).toBe('invitation-revoked')
    })

    it('does not work while its giver is suspended', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const code = await invite(storage, id, 'owner', founder)
      const joining = await newAccount(storage)
      const accept = () => refusalOf(store().acceptInvitation(code, joining.id, Date.now()))
      await storage.accounts.update(founder.personId, { status: 'suspended' })
      expect(await accept()).toBe('invitation-revoked')
      expect(await store().previewInvitation(code, Date.now())).toBe('revoked')
      await storage.accounts.update(founder.personId, { status: 'active' })
      expect(await accept()).toBeUndefined()
    })

    it('for an address requires that address, verified', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const email = `${uniqueText()}@example.com`
      const code = await invite(storage, id, 'viewer', founder, email)
      const stranger = await newAccount(storage)
      expect(await refusalOf(store().acceptInvitation(code, stranger.id, Date.now()))).toBe('other-address')
      const token = { subject: uniqueText(), email, emailVerified: false, name: null }
      const unverified = await storage.accounts.signIn(token, 'free', Date.now())
      expect(await refusalOf(store().acceptInvitation(code, unverified.id, Date.now()))).toBe('other-address')
      await storage.accounts.signIn({ ...token, emailVerified: true }, 'free', Date.now())
      expect(await store().acceptInvitation(code, unverified.id, Date.now())).toBe(id)
    })

    it('sent by mail verifies no user of another issuer, whose word counts', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const email = `${uniqueText()}@example.com`
      const mail = { codeHash: uniqueText(), limits: { ofOrganization: 9, ofPerson: 9, toAddress: 9 } }
      const rest = { organizationId: id, email, role: 'viewer' as const, by: founder, mostOpen: 9 }
      const invitation = { ...rest, codeHash: uniqueText(), expiresAtMs: Date.now() + 60_000, mail }
      await store().invite(invitation, Date.now())
      const token = { subject: uniqueText(), email, emailVerified: false, name: null }
      const person = await storage.accounts.signIn(token, 'free', Date.now())
      const accept = () => refusalOf(store().acceptInvitation(mail.codeHash, person.id, Date.now()))
      expect(await accept()).toBe('other-address')
      expect(await storage.accounts.find(person.id)).toMatchObject({ emailVerified: false })
      await storage.accounts.signIn({ ...token, emailVerified: true }, 'free', Date.now())
      expect(await accept()).toBeUndefined()
    })

    it('is mailed to one address a limited number of times a day, over all organizations', async () => {
      const { storage } = opened()
      const email = `${uniqueText()}@example.com`
      const made = await Promise.all(Array.from({ length: 8 }, () => newOrganization(storage)))
      const limits = { ofOrganization: 9, ofPerson: 9, toAddress: 3 }
      const refusals = await Promise.all(
        made.map(({ id, founder }) => {
          const mail = { codeHash: uniqueText(), limits }
          const rest = { organizationId: id, email, role: 'viewer' as const, by: founder, mostOpen: 9 }
          const invitation = { ...rest, codeHash: uniqueText(), expiresAtMs: Date.now() + 60_000, mail }
          return refusalOf(store().invite(invitation, Date.now()))
        }),
      )
      expect(refusals.filter((refusal) => refusal === 'too-many-mails')).toHaveLength(5)
      expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(3)
    })

    it('does not work for a member, an organization, or a closed account', async () => {
      const { storage } = opened()
      const { id, founder } = await newOrganization(storage)
      const code = await invite(storage, id, 'viewer', founder)
      expect(await refusalOf(store().acceptInvitation(code, founder.personId, Date.now()))).toBe(
        'already-member',
      )
      const other = await newOrganization(storage)
      expect(await refusalOf(store().acceptInvitation(code, other.id, Date.now()))).toBe('unknown')
      const closed = await newAccount(storage)
      await storage.accounts.close(closed.id, Date.now())
      expect(await refusalOf(store().acceptInvitation(code, closed.id, Date.now()))).toBe('unknown')
    })
  })

  describe('a project', () => {
    it('has a unique name, even if several are created at once', async () => {
      const { storage } = opened()
      const { id } = await newOrganization(storage)
      const make = () => storage.projects.create({ accountId: id, name: 'search', most: 10 }, Date.now())
      const results = await Promise.allSettled(Array.from({ length: 5 }, make))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const { rows } = await storage.projects.list(id, { limit: 10 })
      await storage.projects.archive(id, rows[0]!.id, Date.now())
      const second = await make()
      expect(second.id).not.toBe(rows[0]!.id)
      const other = await newOrganization(storage)
      expect(await storage.projects.find(other.id, second.id)).toBeUndefined()
    })
  })
})
