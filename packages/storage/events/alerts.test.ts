import type { AlertRule, Event } from '@turnpike/notify'
import { newIdentifier } from '@turnpike/protocol'
import { expect, test } from 'vitest'
import { fundedKey, grant, newRecord, noonMs } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const usd = 1_000_000_000_000n
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
/** Later than anything in these databases, so that all rules are due. */
const soonMs = 10 * 60 * 1000

onEachEngine((opened) => {
  const stores = () => opened().storage
  const rule = (changes: Partial<AlertRule> & Pick<AlertRule, 'kind'>) => ({
    enabled: true,
    thresholdPico: null,
    days: null,
    ...changes,
  })
  const eventsOf = async (accountId: string): Promise<Event[]> =>
    (await stores().events.list(accountId, { limit: 50 })).rows
  /** Runs the check as several nodes would at the same time. */
  const check = async (nowMs: number): Promise<void> => {
    await Promise.all([1, 2, 3].map(() => stores().alerts.checkDue(200, nowMs)))
    await Promise.all([1, 2, 3].map(() => stores().alerts.checkBudgets(nowMs)))
  }
  const spend = (key: { id: string; accountId: string }, amountPico: bigint, atMs: number) =>
    stores().requests.write('node_of_the_test', [
      newRecord(key, { startedAtMs: atMs, chargePico: amountPico, tags: ['team:search'] }),
    ])

  test('low credit is reported once per episode, by one node', async () => {
    const key = await fundedKey(stores(), 4n * usd)
    const { accountId } = key
    const nowMs = Date.now()
    await stores().alerts.set(accountId, rule({ kind: 'balance', thresholdPico: 5n * usd }), nowMs)
    await check(nowMs)
    await check(nowMs + soonMs)
    expect((await eventsOf(accountId)).map(({ type, data }) => [type, data['balance_usd']])).toEqual([
      ['balance.low', '4'],
    ])
    await grant(stores(), accountId, 2n * usd)
    await check(nowMs + 2 * soonMs)
    expect((await stores().alerts.list(accountId))[0]!.isRaised).toBe(false)
    await spend(key, 2n * usd, nowMs)
    await check(nowMs + 3 * soonMs)
    await check(nowMs + 4 * soonMs)
    expect(await eventsOf(accountId)).toHaveLength(2)
    await stores().alerts.set(accountId, rule({ kind: 'balance', enabled: false }), nowMs)
    await spend(key, usd, nowMs)
    await check(nowMs + 5 * soonMs)
    expect(await eventsOf(accountId)).toHaveLength(2)
  })

  test('credit that lasts for fewer days than the threshold is reported', async () => {
    const key = await fundedKey(stores(), 50n * usd)
    const { accountId } = key
    const nowMs = Math.floor(Date.now() / dayMs) * dayMs + 12 * hourMs
    for (const day of [1, 2]) await spend(key, 10n * usd, nowMs - day * dayMs)
    await stores().alerts.set(accountId, rule({ kind: 'runway', days: 3 }), nowMs)
    await check(nowMs)
    expect(await eventsOf(accountId)).toEqual([])
    await spend(key, usd, nowMs)
    await check(nowMs + soonMs)
    const [event] = await eventsOf(accountId)
    expect(event).toMatchObject({ type: 'balance.runway', data: { days_left: 2.9, balance_usd: '29' } })
  })

  test('an hour beyond five times the usual spending is reported, once', async () => {
    const key = await fundedKey(stores(), 500n * usd)
    const { accountId } = key
    // Young accounts have no usual hour, so the check runs as if this one were two weeks old.
    const nowMs = Math.floor(Date.now() / hourMs) * hourMs + 14 * dayMs + 30 * 60 * 1000
    for (let day = 1; day <= 14; day++) await spend(key, 2n * usd, nowMs - day * dayMs)
    await stores().alerts.set(accountId, rule({ kind: 'unusual_spend' }), nowMs)
    await spend(key, 10n * usd, nowMs)
    await check(nowMs)
    expect(await eventsOf(accountId)).toEqual([])
    await spend(key, usd, nowMs)
    await check(nowMs + 2 * 60 * 1000)
    await check(nowMs + 4 * 60 * 1000)
    expect((await eventsOf(accountId)).map(({ data }) => data)).toMatchObject([
      { spent_usd: '11', usual_usd: '2' },
    ])
  })

  test('an expiring key is reported twice', async () => {
    const { accountId, id } = await fundedKey(stores(), usd)
    const nowMs = Date.now()
    const expiresAtMs = nowMs + 30 * dayMs
    await stores().apiKeys.update(accountId, id, { expiresAtMs })
    await stores().alerts.set(accountId, rule({ kind: 'key_expiry', days: 7 }), nowMs)
    for (const day of [0, 22, 24, 25, 29.5, 29.6]) await check(nowMs + day * dayMs)
    const events = await eventsOf(accountId)
    expect(events.map(({ data }) => [data['key_id'], data['days']])).toEqual([
      [id, 1],
      [id, 7],
    ])
  })

  test('a budget’s highest percentage is reported, once per period and limit', async () => {
    const key = await fundedKey(stores(), 500n * usd)
    const { accountId } = key
    const nowMs = Math.floor(Date.now() / dayMs) * dayMs + 12 * hourMs
    const budget = {
      accountId,
      name: 'search',
      scope: 'tag' as const,
      subject: 'team:search',
      period: 'day' as const,
      limitPico: 10n * usd,
      isHard: false,
      notifyPercents: [50, 80, 100],
    }
    const made = await stores().budgets.create(budget, nowMs)
    if ('refused' in made) throw new Error(made.refused)
    let checks = 0
    const percents = async () => (await eventsOf(accountId)).map(({ data }) => data['percent'])
    const after = async (amountPico: bigint, atMs = nowMs) => {
      await spend(key, amountPico, atMs)
      await check(atMs + ++checks)
      return percents()
    }
    expect(await after(4n * usd)).toEqual([])
    expect(await after(1n * usd)).toEqual([50])
    expect(await after(5n * usd)).toEqual([100, 50])
    expect(await after(9n * usd)).toEqual([100, 50])
    await stores().budgets.update(accountId, made.budget.id, { limitPico: 20n * usd }, nowMs)
    expect(await after(0n)).toEqual([80, 100, 50])
    expect(await after(10n * usd, nowMs + dayMs)).toEqual([50, 80, 100, 50])
    const [newest] = await eventsOf(accountId)
    expect(newest).toMatchObject({
      type: 'budget.threshold',
      data: { budget_id: made.budget.id, spent_usd: '10', limit_usd: '20', subject: 'team:search' },
    })
    expect(newest!.data['resets_at']).toBe((Math.floor(nowMs / dayMs) + 2) * (dayMs / 1000))
  })

  test('the first refusal by a hard budget is reported once, as its 100 %', async () => {
    const key = await fundedKey(stores(), 500n * usd)
    const { accountId } = key
    const nowMs = Math.floor(Date.now() / dayMs) * dayMs + 12 * hourMs
    const make = async (name: string, changes: object) => {
      const budget = {
        accountId,
        name,
        scope: 'tag' as const,
        subject: 'team:search',
        period: 'week' as const,
        limitPico: 10n * usd,
        isHard: true,
        notifyPercents: [80, 100],
        ...changes,
      }
      const made = await stores().budgets.create(budget, nowMs)
      if ('refused' in made) throw new Error(made.refused)
      return made.budget.id
    }
    const soft = await make('soft', { isHard: false })
    const quiet = await make('quiet', { period: 'month', notifyPercents: [80] })
    const hard = await make('hard', {})
    const refuse = async (id: string, atMs = nowMs) =>
      void (await Promise.all([1, 2, 3].map(() => stores().alerts.budgetRefused(id, usd, atMs))))
    for (const id of [soft, quiet, hard, newIdentifier('bud', nowMs)]) await refuse(id)
    await refuse(hard)
    await spend(key, 7n * usd, nowMs)
    await check(nowMs)
    const refusals = async () =>
      (await eventsOf(accountId)).map(({ data }) => [data['name'], data['percent'], data['refused_usd']])
    expect(await refusals()).toEqual([['hard', 100, '1']])
    // The refusal was reported already, so reaching the limit is nothing new.
    await spend(key, 3n * usd, nowMs)
    await check(nowMs)
    expect((await refusals()).filter(([name]) => name === 'hard')).toEqual([['hard', 100, '1']])
    await refuse(hard, nowMs + 7 * dayMs)
    const [newest] = await eventsOf(accountId)
    expect(newest!.data).toMatchObject({ name: 'hard', spent_usd: '0', refused_usd: '1', hard: true })
  })

  test('alerts, events and targets of another account cannot be found', async () => {
    const { accountId } = await fundedKey(stores(), usd)
    expect(await stores().events.find(accountId, newIdentifier('evt', noonMs))).toBeUndefined()
  })
})
