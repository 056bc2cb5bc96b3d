import { newIdentifier } from '@turnpike/protocol'
import { expect, test } from 'vitest'
import { newOrganization, type TestOrganization } from '../organizations/testing/organization.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { uniqueText } from '../testing/fixtures.ts'

const claimMs = 60_000

onEachEngine((opened) => {
  const stores = () => opened().storage
  /** An organization whose members have verified addresses. */
  const organization = async (): Promise<TestOrganization> => {
    const made = await newOrganization(stores())
    await withAddress(made.founder.personId)
    return made
  }
  const withAddress = (personId: string): Promise<void> =>
    opened().database.execute(
      `UPDATE accounts SET email = '${uniqueText()}@example.com', email_verified = 1
       WHERE id = '${personId}'`,
    )
  const target = async (accountId: string, roles: ('owner' | 'admin' | 'billing')[]): Promise<string> => {
    const id = newIdentifier('tgt', Date.now())
    const mail = { id, accountId, kind: 'mail' as const, name: 'roles', url: null, email: null, roles }
    const rest = { types: ['topup.paid'], secret: null, status: 'active' as const, confirmHash: null }
    await stores().eventTargets.create({ ...mail, ...rest }, 20, Date.now())
    return id
  }
  const raise = (accountId: string) =>
    stores().events.raise({
      type: 'topup.paid',
      accountId,
      dedupeKey: null,
      occurredAtMs: Date.now(),
      data: {},
    })
  const deliveriesOf = async (accountId: string) =>
    (await stores().deliveries.list(accountId, {}, { limit: 100 })).rows
  const claim = async (accountId: string, nowMs = Date.now() + 1_000) => {
    const bounds = { limit: 1_000, perTarget: 1_000, perAccount: 1_000, busy: new Map<string, number>() }
    const claimed = await stores().deliveries.claimDue({
      ...bounds,
      nodeId: 'node_of_the_test',
      nowMs,
      untilMs: nowMs + claimMs,
    })
    return claimed.filter((due) => due.target.accountId === accountId)
  }

  test('concurrent events reach each member with the role once each', async () => {
    const one = await organization()
    const { id } = one
    const people = [await one.join('admin'), await one.join('billing'), await one.join('developer')]
    for (const { personId } of people) await withAddress(personId)
    const silent = await one.join('admin')
    const [parent] = [await target(id, ['owner', 'admin', 'billing']), await target(id, ['admin', 'billing'])]
    await Promise.all(Array.from({ length: 8 }, () => raise(id)))
    const rows = await deliveriesOf(id)
    const byEvent = Map.groupBy(rows, ({ eventId }) => eventId)
    expect(byEvent.size).toBe(8)
    for (const some of byEvent.values()) {
      // Three for one target and two for the other; none for members without an address or with another role.
      expect(some.filter(({ targetId }) => targetId === parent)).toHaveLength(3)
      expect(some).toHaveLength(5)
      expect(some.map(({ memberId }) => memberId)).not.toContain(silent.memberId)
      expect(some.map(({ memberId }) => memberId)).not.toContain(people[2]!.memberId)
    }
    expect(await stores().eventTargets.list(id)).toHaveLength(2)
    const ofParent = await stores().deliveries.list(id, { targetId: parent }, { limit: 100 })
    expect(ofParent.rows).toHaveLength(24)
  })

  test('pending mail is cancelled for a member who leaves or changes roles', async () => {
    const one = await organization()
    const { id, founder } = one
    const goes = await one.join('admin')
    const [changes, stays] = [await one.join('billing'), await one.join('billing')]
    for (const { personId } of [goes, changes, stays]) await withAddress(personId)
    await target(id, ['owner', 'admin', 'billing'])
    await raise(id)
    const nowMs = Date.now()
    const { organizations } = stores()
    await organizations.removeMember(id, goes.memberId, { keysGo: 'revoked', by: founder }, nowMs)
    await organizations.changeMember(id, changes.memberId, { role: 'viewer', by: founder }, nowMs)
    const claimed = await claim(id)
    const emails = claimed.map(({ recipient }) => recipient!.email)
    expect(emails.every((email) => email.endsWith('@example.com'))).toBe(true)
    const states = new Map((await deliveriesOf(id)).map(({ memberId, state }) => [memberId, state]))
    expect(states).toEqual(
      new Map([
        [founder.memberId, 'pending'],
        [goes.memberId, 'cancelled'],
        [changes.memberId, 'cancelled'],
        [stays.memberId, 'pending'],
      ]),
    )
    expect(claimed.map(({ recipient }) => recipient!.accountName)).toEqual(['Engines', 'Engines'])
    expect(new Set(claimed.map(({ recipient }) => recipient!.unsubscribeCode)).size).toBe(2)
  })

  test('deleting or disabling a target does not block recording its mails', async () => {
    const one = await organization()
    const { id } = one
    for (let count = 0; count < 4; count++) await withAddress((await one.join('admin')).personId)
    for (const end of ['delete', 'disable'] as const) {
      const parent = await target(id, ['admin'])
      for (let count = 0; count < 3; count++) await raise(id)
      const claimed = (await claim(id)).filter(({ target: { parentId } }) => parentId === parent)
      expect(claimed).toHaveLength(12)
      const { deliveries, eventTargets } = stores()
      const attempt = { atMs: Date.now(), status: null, durationMs: 1, error: null, answerStart: null }
      const result = { attempt, outcome: { kind: 'gone' as const } }
      const ended = () =>
        end === 'delete'
          ? eventTargets.remove(id, parent)
          : eventTargets.update(id, parent, { status: 'disabled' }, Date.now())
      await Promise.all([
        ...claimed.map((due) => deliveries.conclude('node_of_the_test', due, result, Date.now())),
        ended(),
        raise(id),
      ])
      expect(await claim(id)).toEqual([])
      expect((await deliveriesOf(id)).filter(({ state }) => state === 'pending')).toEqual([])
    }
  })
})
