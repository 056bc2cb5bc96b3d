import { newSecret, type AttemptResult, type DueDelivery, type NewEvent } from '@turnpike/notify'
import { newIdentifier } from '@turnpike/protocol'
import { expect, test } from 'vitest'
import { newAccount, noonMs } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const claimMs = 60_000
const dayMs = 24 * 60 * 60 * 1000

onEachEngine((opened) => {
  const stores = () => opened().storage
  const target = async (accountId: string | null, types: string[] = ['*'], nowMs = noonMs) => {
    const id = newIdentifier('tgt', nowMs)
    const common = { id, accountId, types, kind: 'webhook' as const, name: 'hook', email: null, roles: null }
    const rest = { url: 'https://hooks.example.com/', secret: newSecret(), confirmHash: null }
    return (await stores().eventTargets.create({ ...common, ...rest, status: 'active' }, 20, nowMs))!
  }
  const raise = (accountId: string | null, type: NewEvent['type'] = 'topup.paid', atMs = noonMs) =>
    stores().events.raise({ type, accountId, dedupeKey: null, occurredAtMs: atMs, data: { a: '1' } })
  /** Claims deliveries of this account only, since other tests use the same database. */
  const claim = async (nodeId: string, ofTarget: string, nowMs = noonMs): Promise<DueDelivery[]> => {
    const claimed = await stores().deliveries.claimDue({
      nodeId,
      limit: 8,
      perTarget: 2,
      perAccount: 8,
      busy: new Map(),
      nowMs,
      untilMs: nowMs + claimMs,
    })
    return claimed.filter(({ target: { id } }) => id === ofTarget)
  }
  const attempt = (atMs: number, status: number) => ({
    atMs,
    status,
    durationMs: 5,
    error: status === 200 ? null : `the receiver returned status ${status}`,
    answerStart: 'x',
  })
  const good: AttemptResult = { attempt: attempt(noonMs, 200), outcome: { kind: 'delivered' } }
  const bad: AttemptResult = { attempt: attempt(noonMs, 500), outcome: { kind: 'failed' } }

  test('a target gets the event types it subscribes to, from its own account', async () => {
    const [ada, grace] = [await newAccount(stores()), await newAccount(stores())]
    const all = await target(ada.id)
    const some = await target(ada.id, ['balance.low', 'topup.refunded'])
    await target(grace.id)
    await raise(ada.id, 'topup.paid')
    await raise(ada.id, 'balance.low')
    const { rows } = await stores().deliveries.list(ada.id, {}, { limit: 10 })
    const pairs = rows.map(
      ({ targetId, eventType }) => `${targetId === all.id ? 'all' : 'some'} ${eventType}`,
    )
    expect(pairs.toSorted()).toEqual(['all balance.low', 'all topup.paid', 'some balance.low'])
    const ofSome = await stores().deliveries.list(ada.id, { targetId: some.id }, { limit: 10 })
    expect(ofSome.rows).toHaveLength(1)
    expect((await stores().deliveries.list(grace.id, {}, { limit: 10 })).rows).toEqual([])
    expect(await stores().deliveries.find(grace.id, rows[0]!.id)).toBeUndefined()
    expect(await stores().deliveries.redeliver(grace.id, rows[0]!.id, noonMs)).toBeUndefined()
    expect(await stores().events.find(grace.id, rows[0]!.eventId)).toBeUndefined()
    expect(await stores().events.find(null, rows[0]!.eventId)).toBeUndefined()
    expect(await stores().eventTargets.find(null, all.id)).toBeUndefined()
    await stores().eventTargets.remove(ada.id, all.id)
    await stores().eventTargets.remove(ada.id, some.id)
  })

  test('a delivery goes to one node, two at a time per target, and again after its claim', async () => {
    const account = await newAccount(stores())
    const { id } = await target(account.id)
    for (const _ of [1, 2, 3]) await raise(account.id)
    const both = (await Promise.all([claim('node_a', id), claim('node_b', id)])).flat()
    const ids = both.map((one) => one.id)
    expect(new Set(ids).size).toBe(ids.length)
    const later = noonMs + claimMs
    expect((await claim('node_c', id, later - 1)).map((one) => one.id)).not.toContain(ids[0])
    const again = [...(await claim('node_c', id, later)), ...(await claim('node_c', id, later))]
    expect(again.map((one) => one.id)).toContain(ids[0])
    // The first node's result no longer counts.
    const late = both.find((one) => again.some((taken) => taken.id === one.id))!
    for (const node of ['node_a', 'node_b'])
      expect(await stores().deliveries.conclude(node, late, good, later)).toBe(false)
    const taken = again.find((one) => one.id === late.id)!
    expect(await stores().deliveries.conclude('node_c', taken, good, later)).toBe(true)
    expect(await stores().deliveries.conclude('node_c', taken, good, later)).toBe(false)
    expect(await stores().deliveries.find(account.id, late.id)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      deliveredAtMs: later,
    })
    await stores().eventTargets.remove(account.id, id)
    expect(await claim('node_c', id, later + dayMs)).toEqual([])
  })

  test('an account with many deliveries does not delay others', async () => {
    const [many, few] = [await newAccount(stores()), await newAccount(stores())]
    const busy = new Map([[many.id, 8]])
    const earlyMs = noonMs - dayMs
    const targets = [await target(many.id), await target(few.id)]
    for (let count = 0; count < 40; count++) await raise(many.id, 'topup.paid', earlyMs)
    await raise(few.id, 'topup.paid', earlyMs + 1)
    const claim = { nodeId: 'node_a', limit: 2, perTarget: 100, perAccount: 8 }
    const times = { nowMs: earlyMs + 2, untilMs: earlyMs + 3 }
    const claimed = await stores().deliveries.claimDue({ ...claim, ...times, busy })
    expect(claimed.map(({ target: { accountId } }) => accountId)).toEqual([few.id])
    const free = await stores().deliveries.claimDue({ ...claim, ...times, limit: 50, busy: new Map() })
    expect(free.map(({ target: { accountId } }) => accountId)).toEqual(
      Array.from({ length: 8 }, () => many.id),
    )
    for (const [index, { id }] of [many, few].entries())
      await stores().eventTargets.remove(id, targets[index]!.id)
  })

  test('no test event is sent to a target with many pending deliveries', async () => {
    const account = await newAccount(stores())
    const { id } = await target(account.id)
    const event = { type: 'webhook.test' as const, accountId: account.id, dedupeKey: null, data: {} }
    const send = () => stores().events.raiseFor(id, { ...event, occurredAtMs: noonMs }, 2)
    const sent = [await send(), await send(), await send()]
    expect(sent.map((one) => (one === 'busy' ? one : typeof one))).toEqual(['object', 'object', 'busy'])
    await stores().eventTargets.remove(account.id, id)
    expect(await send()).toBeUndefined()
  })

  test('a failed attempt is logged and retried; a redelivery starts over', async () => {
    const account = await newAccount(stores())
    const { id } = await target(account.id)
    await raise(account.id)
    const [due] = await claim('node_a', id)
    const again: AttemptResult = {
      attempt: attempt(noonMs, 500),
      outcome: { kind: 'again', atMs: noonMs + 5_000 },
    }
    await stores().deliveries.conclude('node_a', due!, again, noonMs)
    expect(await claim('node_a', id, noonMs + 4_999)).toEqual([])
    const [second] = await claim('node_b', id, noonMs + 5_000)
    expect([second!.tries, second!.event.id]).toEqual([1, due!.event.id])
    await stores().deliveries.conclude('node_b', second!, bad, noonMs + 5_000)
    expect(await claim('node_b', id, noonMs + dayMs)).toEqual([])
    const anew = await stores().deliveries.redeliver(account.id, due!.id, noonMs + dayMs)
    expect(anew).toMatchObject({ state: 'pending', attempts: 2 })
    const [third] = await claim('node_b', id, noonMs + dayMs)
    expect([third!.tries, third!.event.id]).toEqual([0, due!.event.id])
    await stores().deliveries.conclude('node_b', third!, good, noonMs + dayMs)
    const log = await stores().deliveries.attempts(due!.id)
    expect(log.map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
    ])
    await stores().eventTargets.remove(account.id, id)
  })

  test('ten failed events over a day disable a target and its deliveries; a 410 does at once', async () => {
    const account = await newAccount(stores())
    const other = await target(account.id, ['webhook.disabled'])
    const { id } = await target(account.id, ['topup.paid'])
    for (let count = 1; count <= 11; count++) await raise(account.id)
    let nowMs = noonMs
    for (let count = 1; count <= 10; count++) {
      nowMs = noonMs + dayMs + count * claimMs
      const [due] = await claim('node_a', id, nowMs)
      await stores().deliveries.conclude('node_a', due!, bad, nowMs)
      const { status } = (await stores().eventTargets.find(account.id, id))!
      expect([count, status]).toEqual([count, count < 10 ? 'active' : 'disabled'])
    }
    const cancelled = await stores().deliveries.list(account.id, { state: 'cancelled' }, { limit: 10 })
    expect(cancelled.rows).toHaveLength(1)
    expect(await stores().deliveries.redeliver(account.id, cancelled.rows[0]!.id, nowMs)).toBe('inactive')
    const [disabling] = await claim('node_a', other.id, nowMs)
    expect(disabling!.event).toMatchObject({ type: 'webhook.disabled', data: { target_id: id } })
    await stores().deliveries.conclude('node_a', disabling!, { ...bad, outcome: { kind: 'gone' } }, nowMs)
    const gone = (await stores().eventTargets.find(account.id, other.id))!
    expect([gone.status, gone.disabledReason]).toEqual(['disabled', 'the receiver returned 410 Gone'])
    const mended = await stores().eventTargets.update(account.id, id, { status: 'active' }, nowMs)
    expect(mended).toMatchObject({ status: 'active', failuresInRow: 0, disabledReason: null })
    for (const one of [other.id, id]) await stores().eventTargets.remove(account.id, one)
  })

  test('a target and its events may be deleted during a delivery', async () => {
    const account = await newAccount(stores())
    const { id } = await target(account.id)
    await raise(account.id)
    const [due] = await claim('node_a', id)
    const raised = Array.from({ length: 8 }, () => raise(account.id))
    const [removed, concluded] = await Promise.all([
      stores().eventTargets.remove(account.id, id),
      stores().deliveries.conclude('node_a', due!, good, noonMs),
      ...raised,
    ])
    expect([removed, typeof concluded]).toEqual([true, 'boolean'])
    expect((await stores().deliveries.list(account.id, {}, { limit: 10 })).rows).toEqual([])
    expect((await stores().events.list(account.id, { limit: 20 })).rows).toHaveLength(9)
  })

  test('concurrent creations stay within the limit, and an address is confirmed once', async () => {
    const account = await newAccount(stores())
    const mail = (code: string) => ({
      id: newIdentifier('tgt', noonMs),
      accountId: account.id,
      kind: 'mail' as const,
      name: 'mail',
      url: null,
      email: 'ops@example.com',
      roles: null,
      types: ['*'],
      secret: null,
      status: 'unconfirmed' as const,
      confirmHash: code,
    })
    const { eventTargets } = stores()
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) => eventTargets.create(mail(`${account.id}${index}`), 3, noonMs)),
    )
    const kept = made.filter((one) => one !== undefined)
    expect(kept).toHaveLength(3)
    await raise(account.id)
    expect((await stores().deliveries.list(account.id, {}, { limit: 10 })).rows).toEqual([])
    const { id } = kept[0]!
    const code = `${account.id} again`
    expect(await eventTargets.renewCode(id, code, noonMs - 1, noonMs)).toBe(false)
    expect(await eventTargets.renewCode(id, code, noonMs, noonMs + 1)).toBe(true)
    expect(await eventTargets.update(account.id, id, { status: 'active' }, noonMs)).toBeUndefined()
    expect(await eventTargets.confirm(code, noonMs + 1, noonMs)).toBeUndefined()
    const confirmed = await Promise.all([1, 2].map(() => eventTargets.confirm(code, noonMs - 1, noonMs)))
    expect(confirmed.filter((one) => one?.status === 'active')).toHaveLength(1)
  })

  test('old events are deleted, except the thresholds of budgets without a period', async () => {
    const account = await newAccount(stores())
    const { id } = await target(account.id)
    const kept = { type: 'budget.threshold' as const, accountId: account.id, data: {} }
    await raise(account.id)
    for (const period of ['t', 'd2026-01-01'])
      await stores().events.raise({
        ...kept,
        occurredAtMs: noonMs,
        dedupeKey: `budget:${account.id}:${period}:80`,
      })
    while (await stores().events.dropBefore(noonMs + 1));
    const left = await stores().events.list(account.id, { limit: 10 })
    expect(left.rows.map(({ dedupeKey }) => dedupeKey)).toEqual([`budget:${account.id}:t:80`])
    await stores().eventTargets.remove(account.id, id)
  })
})
