import { HardBudget, type Budget, type NewBudget } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { grant, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { newOrganization } from '../organizations/testing/organization.ts'
import { onEachEngine } from '../testing/test-database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Wednesday. */
const wednesdayMs = Date.UTC(2026, 3, 29, 12)

onEachEngine((opened) => {
  /** A key of an account that exists before anything is spent. */
  async function fundedKey(creditPico: bigint): Promise<ApiKey> {
    const { storage } = opened()
    const madeAtMs = wednesdayMs - 60 * dayMs
    const { account } = await storage.accounts.provision({ subject: uniqueText(), tier: 'free' }, madeAtMs)
    const key = await newKey(storage, account.id)
    await grant(storage, account.id, creditPico)
    return key
  }

  async function made(key: ApiKey, changes: Partial<NewBudget> = {}): Promise<Budget> {
    const { accountId } = key
    const budget: NewBudget = {
      accountId,
      name: 'Search team',
      scope: 'organization',
      subject: '',
      period: 'day',
      limitPico: 100n,
      isHard: true,
      notifyPercents: [50, 80, 100],
      ...changes,
    }
    const result = await opened().storage.budgets.create(budget, Date.now())
    if (!('budget' in result)) throw new Error(result.refused)
    return result.budget
  }

  const leaseOf = (budget: Budget, startedAtMs = wednesdayMs): string =>
    new HardBudget(budget).leaseId(startedAtMs)

  const take = (budget: Budget, pico: bigint, startedAtMs = wednesdayMs, nodeId = 'node_a') =>
    opened().storage.budgetLeases.take(nodeId, leaseOf(budget, startedAtMs), pico, pico, startedAtMs)

  const charge = (key: ApiKey, changes: Partial<RequestRecord>, nodeId = 'node_a') =>
    opened().storage.requests.write(nodeId, [newRecord(key, { startedAtMs: wednesdayMs, ...changes })])

  async function spent(budget: Budget, atMs = wednesdayMs): Promise<bigint> {
    return (await opened().storage.budgets.findSpent([budget], atMs)).get(budget.id)!.spentPico
  }

  async function differences(): Promise<unknown[]> {
    const { differences } = await opened().storage.ledger.verify()
    return differences.filter(({ subject }) => subject.startsWith('budget'))
  }

  async function rotated(key: ApiKey, graceMs = 60_000): Promise<ApiKey> {
    const { accountId, id: keyId } = key
    const rotation = { accountId, keyId, keyPrefix: 'p', keyHash: uniqueText(), graceMs }
    const result = await opened().storage.apiKeys.rotate(rotation, Date.now())
    if (!('key' in result)) throw new Error('refused')
    return result.key
  }

  describe('budget leases', () => {
    it('are bounded by spent plus leased, across all nodes', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      expect(await take(budget, 60n)).toMatchObject({ takenPico: 60n, freePico: 40n, elsewherePico: 0n })
      expect(await take(budget, 41n, wednesdayMs, 'node_b')).toMatchObject({
        takenPico: 0n,
        freePico: 40n,
        elsewherePico: 60n,
      })
      await charge(key, { chargePico: 50n, budgetLeases: leaseOf(budget) })
      expect(await spent(budget)).toBe(50n)
      // 10 of the lease remain, and 40 of the limit as before.
      expect(await take(budget, 40n, wednesdayMs, 'node_b')).toMatchObject({ takenPico: 40n, freePico: 0n })
      expect(await take(budget, 1n)).toMatchObject({ takenPico: 0n, freePico: 0n, elsewherePico: 40n })
    })

    it('leave half of what other nodes may need', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      const lease = leaseOf(budget)
      const { budgetLeases } = opened().storage
      expect(await budgetLeases.take('node_a', lease, 20n, 1_000n, wednesdayMs)).toMatchObject({
        takenPico: 60n,
      })
    })

    it('belong to one period each', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      expect(await take(budget, 100n)).toMatchObject({ takenPico: 100n })
      expect(await take(budget, 100n, wednesdayMs + dayMs)).toMatchObject({ takenPico: 100n })
      // Started before midnight and charged after it: counts for the day on which it started.
      const late = wednesdayMs + 12 * hourMs - 1
      await charge(key, { chargePico: 30n, startedAtMs: late, budgetLeases: leaseOf(budget, late) })
      expect([await spent(budget), await spent(budget, wednesdayMs + dayMs)]).toEqual([30n, 0n])
      expect(await take(budget, 1n)).toMatchObject({ takenPico: 0n })
    })

    it('are returned in part, and never beyond what they hold', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      const { lease } = await take(budget, 70n)
      const { budgetLeases } = opened().storage
      const part = await budgetLeases.giveBack('node_a', leaseOf(budget), 30n)
      expect([part.pico, part.version > lease.version]).toEqual([40n, true])
      const rest = await budgetLeases.giveBack('node_a', leaseOf(budget), 90n, { heldPico: 0n })
      expect(rest.pico).toBe(0n)
      expect(await budgetLeases.giveBack('node_a', leaseOf(budget), 1n)).toEqual(rest)
      expect((await budgetLeases.giveBack('node_b', leaseOf(budget), 1n)).pico).toBe(0n)
      expect(await take(budget, 100n, wednesdayMs, 'node_b')).toMatchObject({ takenPico: 100n })
    })

    it('keep a row for a week after their period', async () => {
      const key = await fundedKey(1_000n)
      const { budgetLeases, retention } = opened().storage
      const all: string[] = []
      for (const period of ['day', 'week', 'month', 'total'] as const) {
        const budget = await made(key, { period })
        await take(budget, 70n)
        await budgetLeases.giveBack('node_a', leaseOf(budget), 70n)
        all.push(leaseOf(budget))
      }
      const kept = async (): Promise<boolean[]> => {
        const states = await budgetLeases.current('node_a', all)
        return all.map((lease) => states.get(lease)!.version > 0n)
      }
      await retention.prepare(Date.UTC(2026, 4, 6))
      expect(await kept()).toEqual([true, true, true, true])
      await retention.prepare(Date.UTC(2026, 4, 7))
      expect(await kept()).toEqual([false, true, true, true])
      await retention.prepare(Date.UTC(2026, 5, 9))
      expect(await kept()).toEqual([false, false, false, true])
    })

    it('end with their node: its room is free again, and the version increases', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      const { lease } = await take(budget, 70n, wednesdayMs, 'node_gone')
      await opened().storage.leases.giveBackAll('node_gone')
      const after = await opened().storage.budgetLeases.current('node_gone', [leaseOf(budget)])
      expect(after.get(leaseOf(budget))!.pico).toBe(0n)
      expect(after.get(leaseOf(budget))!.version > lease.version).toBe(true)
      expect(await take(budget, 100n)).toMatchObject({ takenPico: 100n })
    })

    it('of a lowered budget are reported as too large', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      await take(budget, 80n)
      await opened().storage.budgets.update(key.accountId, budget.id, { limitPico: 50n }, Date.now())
      expect(await take(budget, 1n)).toMatchObject({ takenPico: 0n, freePico: -30n, isExceeded: true })
    })

    it.each(['deleted', 'soft', 'unknown'])('of a budget that is %s limit nothing', async (how) => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      const { budgets } = opened().storage
      if (how === 'deleted') await budgets.remove(key.accountId, budget.id, Date.now())
      if (how === 'soft') await budgets.update(key.accountId, budget.id, { isHard: false }, Date.now())
      const target = how === 'unknown' ? { ...budget, id: newIdentifier('bud') } : budget
      expect(await take(target, 1n)).toMatchObject({ takenPico: 0n, isGone: true })
    })

    it('report charges to the node that held them, even for deleted budgets', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      await take(budget, 80n)
      await opened().storage.budgets.remove(key.accountId, budget.id, Date.now())
      const record = newRecord(key, {
        startedAtMs: wednesdayMs,
        chargePico: 30n,
        budgetLeases: leaseOf(budget),
      })
      for (const time of ['first', 'again']) {
        const { chargedPico, leases } = await opened().storage.requests.write('node_a', [record])
        expect(chargedPico.get(leaseOf(budget)), time).toBe(30n)
        expect(leases.get(leaseOf(budget))!.pico, time).toBe(50n)
      }
    })

    it('keep what requests hold that started before the budget was created', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key)
      await take(budget, 80n)
      // Counted, but not held by a lease: what other requests hold of it stays theirs.
      await charge(key, { chargePico: 15n })
      expect(await spent(budget)).toBe(15n)
      const { leases } = await charge(key, { chargePico: 5n, budgetLeases: leaseOf(budget) })
      expect(leases.get(leaseOf(budget))!.pico).toBe(75n)
      expect(await take(budget, 5n, wednesdayMs, 'node_b')).toMatchObject({ takenPico: 5n })
      expect(await take(budget, 1n, wednesdayMs, 'node_b')).toMatchObject({ takenPico: 0n })
    })
  })

  describe('a budget', () => {
    it('counts each covered request once, by scope', async () => {
      const key = await fundedKey(10_000n)
      const other = await newKey(opened().storage, key.accountId)
      const all = await made(key, { period: 'month' })
      const search = await made(key, { scope: 'tag', subject: 'team:search' })
      const mini = await made(key, { scope: 'model', subject: 'openai/gpt-5-mini', period: 'total' })
      const own = await made(key, { scope: 'key', subject: key.id, period: 'week' })
      await charge(key, { chargePico: 1n, tags: ['team:search', 'a', 'team:search'] })
      await charge(key, { chargePico: 10n, tags: ['team:searching'], modelServed: 'openai/gpt-5' })
      await charge(other, { chargePico: 100n, tags: ['b', 'team:search'] })
      await charge(key, { chargePico: 0n, outcome: 'failed', modelServed: null, tags: ['team:search'] })
      expect(await Promise.all([all, search, mini, own].map((budget) => spent(budget)))).toEqual([
        111n,
        101n,
        101n,
        11n,
      ])
      expect(await differences()).toEqual([])
      const { days, usagePico } = await opened().storage.budgets.days(search, wednesdayMs, wednesdayMs + 1)
      expect({ days, usagePico }).toEqual({
        days: [{ day: '2026-04-29', requests: 2, spentPico: 101n }],
        usagePico: 101n,
      })
    })

    it('includes what was spent before it was created, for every scope and period', async () => {
      const key = await fundedKey(10_000n)
      const before = { tags: ['team:search'], chargePico: 7n }
      for (const at of [wednesdayMs, wednesdayMs - dayMs, wednesdayMs - 3 * dayMs, wednesdayMs - 40 * dayMs])
        await charge(key, { ...before, startedAtMs: at })
      const on = [
        { scope: 'organization', subject: '' },
        { scope: 'tag', subject: 'team:search' },
        { scope: 'model', subject: 'openai/gpt-5-mini' },
        { scope: 'key', subject: key.id },
      ] as const
      for (const what of on)
        for (const [period, expected] of [
          ['day', 7n],
          ['week', 14n],
          ['month', 21n],
          ['total', 28n],
        ] as const)
          expect(await spent(await made(key, { ...what, period })), `${what.scope} ${period}`).toBe(expected)
      expect(await differences()).toEqual([])
    })

    it('of a rotated key continues with the new key, and counts late charges', async () => {
      const key = await fundedKey(10_000n)
      const budget = await made(key, { scope: 'key', subject: key.id })
      await charge(key, { chargePico: 3n })
      const next = await rotated(await rotated(key))
      await charge(key, { chargePico: 4n })
      await charge(next, { chargePico: 5n })
      const now = (await opened().storage.budgets.find(key.accountId, budget.id))!
      expect([now.subject, await spent(now)]).toEqual([next.id, 12n])
      // Naming the old key refers to the newest one.
      const other = await made(key, { scope: 'key', subject: key.id, period: 'month' })
      expect([other.subject, await spent(other)]).toEqual([next.id, 12n])
      expect(await differences()).toEqual([])
    })

    it('of a member or project counts what its keys spend, and stays after a hand-over', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id: accountId, founder } = organization
      const other = await organization.join('developer')
      const project = await storage.projects.create({ accountId, name: 'p', most: 9 }, Date.now())
      const old = await organization.key(founder.memberId, { projectId: project.id })
      await grant(storage, accountId, 1_000n)
      const nowMs = Date.now()
      await charge(old, { chargePico: 100n, startedAtMs: nowMs })
      const whose = { ...old, accountId }
      const ofFounder = await made(whose, { scope: 'member', subject: founder.memberId })
      const ofOther = await made(whose, { scope: 'member', subject: other.memberId })
      const ofProject = await made(whose, { scope: 'project', subject: project.id })
      const handed = await storage.apiKeys.handOver(
        { accountId, keyId: old.id, memberId: other.memberId },
        Date.now(),
      )
      if (!('key' in handed)) throw new Error('refused')
      await charge(handed.key, { chargePico: 10n, startedAtMs: nowMs })
      await charge(old, { chargePico: 1n, startedAtMs: nowMs })
      const all = [ofFounder, ofOther, ofProject]
      expect(await Promise.all(all.map((budget) => spent(budget, nowMs)))).toEqual([101n, 10n, 111n])
      const known = (await storage.apiKeys.findByHashes([old.secret])).get(old.secret)!
      expect(known.ownBudgets.budgets.map(({ rule }) => rule.id).toSorted()).toEqual(
        [ofOther.id, ofProject.id].toSorted(),
      )
      const theirs = await storage.budgets.list(accountId, { limit: 10 }, other.memberId)
      expect(theirs.rows.map(({ id }) => id)).toEqual([ofOther.id])
      expect(await storage.budgets.find(accountId, ofFounder.id, other.memberId)).toBeUndefined()
      const stranger = await newOrganization(storage)
      await expect(made(whose, { scope: 'member', subject: stranger.founder.memberId })).rejects.toThrow(
        'unknown-subject',
      )
      expect(await differences()).toEqual([])
    })

    it("is read with its account's keys, in the account's current state", async () => {
      const { storage } = opened()
      const keyHash = uniqueText()
      const { accountId } = await fundedKey(10_000n)
      const nothing = { expiresAtMs: null, allowedModels: null, spendLimitPico: null, spendLimitPeriod: null }
      const key = await storage.apiKeys.create(
        { accountId, name: 'k', keyPrefix: 'p', keyHash, ...nothing },
        Date.now(),
      )
      const known = async () => (await storage.apiKeys.findByHashes([keyHash])).get(keyHash)!
      expect(await known()).toMatchObject({ budgets: null, ownBudgets: { budgets: [] } })
      const own = await made(key, { scope: 'key', subject: key.id })
      const tag = await made(key, { scope: 'tag', subject: 'team:search' })
      await made(key, { isHard: false })
      const { budgets, ownBudgets } = await known()
      expect(ownBudgets.budgets.map(({ rule }) => rule.id)).toEqual([own.id])
      const both = budgets!.ofRequest(ownBudgets, ['a', 'team:search'], [])
      expect(both.budgets.map(({ rule }) => rule.id)).toEqual([own.id, tag.id])
      expect(budgets!.ofRequest(ownBudgets, ['team:search', 'b'], [])).toBe(both)
      expect(budgets!.ofRequest(ownBudgets, ['team:sea'], [])).toBe(ownBudgets)
      await storage.budgets.remove(accountId, own.id, Date.now())
      expect((await known()).ownBudgets.budgets).toEqual([])
    })

    it('is unique in its kind, and hidden from other accounts', async () => {
      const { storage } = opened()
      const key = await fundedKey(1n)
      const stranger = await fundedKey(1n)
      const first = await made(key)
      const again = { ...first, name: 'again' }
      expect(await storage.budgets.create(again, Date.now())).toEqual({
        refused: 'exists',
        budgetId: first.id,
      })
      const soft = await made(key, { isHard: false })
      expect(
        await storage.budgets.update(key.accountId, soft.id, { isHard: true }, Date.now()),
      ).toMatchObject({ refused: 'exists' })
      expect(
        await storage.budgets.create({ ...first, scope: 'key', subject: stranger.id }, Date.now()),
      ).toEqual({ refused: 'unknown-subject' })
      expect(await storage.budgets.find(stranger.accountId, first.id)).toBeUndefined()
      expect(
        await storage.budgets.update(stranger.accountId, first.id, { limitPico: 1n }, Date.now()),
      ).toBeUndefined()
      expect(await storage.budgets.remove(stranger.accountId, first.id, Date.now())).toBeUndefined()
      expect((await storage.budgets.list(key.accountId, { limit: 10 })).rows).toHaveLength(2)
    })

    it('that was changed outside the gateway is found by the verification', async () => {
      const key = await fundedKey(1_000n)
      const budget = await made(key, { period: 'month' })
      await charge(key, { chargePico: 9n })
      await opened().database.execute(
        `UPDATE budget_totals SET cost_low = cost_low + 1
          WHERE budget_id = '${budget.id}' AND period LIKE 'm%'`,
      )
      expect(await differences()).toEqual([
        {
          subject: `budget ${budget.id} in m2026-04`,
          expected: '1 requests, 9 pico-USD',
          found: '1 requests, 10 pico-USD',
        },
      ])
      await opened().storage.budgets.remove(key.accountId, budget.id, Date.now())
      expect(await differences()).toEqual([])
    })

    it('is refused while a node of an older version runs', async () => {
      const key = await fundedKey(1_000n)
      const nodeId = newIdentifier('node')
      await opened().storage.leases.heartbeat(nodeId, 60_000)
      await opened().database.execute(`UPDATE nodes SET counts_budgets = 0 WHERE id = '${nodeId}'`)
      await expect(made(key)).rejects.toThrow('older-nodes')
      await opened().storage.leases.heartbeat(nodeId, 60_000)
      await made(key)
    })
  })
})
