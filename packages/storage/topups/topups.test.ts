import { formatUsd, parseUsd, type NewTopup, type Topup, type TopupMovement } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { newAccount, newKey, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const startMs = Date.UTC(2026, 2, 10, 12)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

onEachEngine((opened) => {
  const topups = () => opened().storage.topups

  async function reserved(changes: Partial<NewTopup> = {}, nowMs = startMs): Promise<Topup> {
    const accountId = changes.accountId ?? (await newAccount(opened().storage)).id
    return topups().reserve(
      {
        keyId: null,
        processor: 'stripe',
        amountPico: parseUsd('25'),
        idempotencyKey: null,
        ...changes,
        accountId,
      },
      nowMs,
    )
  }

  async function open(changes: Partial<NewTopup> = {}, nowMs = startMs): Promise<Topup> {
    const topup = await reserved(changes, nowMs)
    const sessionId = `cs_${uniqueText()}`
    const url = `https://checkout.test/${sessionId}`
    return topups().attach(topup.id, { sessionId, url, expiresAtMs: nowMs + 24 * hourMs })
  }

  const credit = (topup: Topup, usd: string): TopupMovement => ({
    of: 'paid',
    kind: 'topup',
    amountPico: parseUsd(usd),
    reference: `topup:${topup.id}`,
    reason: 'cs_1',
  })

  async function pay(topup: Topup, usd: string): Promise<Topup> {
    const changed = await topups().change(
      topup.id,
      () => ({ movements: [credit(topup, usd)], paymentId: `pi_${topup.id}` }),
      startMs + minuteMs,
    )
    return changed!.topup
  }

  async function balanceOf(accountId: string): Promise<string> {
    return formatUsd((await opened().storage.accounts.find(accountId))!.balancePico)
  }

  describe('a reserved top-up', () => {
    it('is found again by its idempotency key, within its account', async () => {
      const first = await reserved({ idempotencyKey: 'order-1' })
      const again = await reserved({ idempotencyKey: 'order-1', accountId: first.accountId })
      expect(again).toEqual(first)
      expect((await reserved({ idempotencyKey: 'order-1' })).id).not.toBe(first.id)
      expect(first).toMatchObject({ checkout: null, paidPico: 0n, expired: false, createdAtMs: startMs })
    })

    it('is created once, even by twenty requests at the same moment', async () => {
      const { id: accountId } = await newAccount(opened().storage)
      const all = await Promise.all(
        Array.from({ length: 20 }, () => reserved({ accountId, idempotencyKey: 'order-2' })),
      )
      expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    })

    it('is not listed before it has a checkout, and is deleted if it never gets one', async () => {
      const topup = await reserved()
      expect((await topups().list(topup.accountId, { limit: 5 })).rows).toEqual([])
      await topups().dropAbandoned(startMs + 1)
      expect(await topups().find(topup.id)).toBeUndefined()
      const attached = await open()
      await topups().dropAbandoned(startMs + 1)
      expect(await topups().find(attached.id)).toEqual(attached)
    })

    it("refuses another account's key", async () => {
      const { id: accountId } = await newAccount(opened().storage)
      const key = await newKey(opened().storage, (await newAccount(opened().storage)).id)
      await expect(reserved({ accountId, keyId: key.id })).rejects.toThrow()
    })
  })

  it('is found by its session and its payment, and listed newest first, page by page', async () => {
    const first = await open()
    const second = await open({ accountId: first.accountId }, startMs + 1)
    const paid = await pay(first, '25')
    expect(await topups().findBySession(first.checkout!.sessionId)).toEqual(paid)
    expect(await topups().findByPayment(paid.paymentId!)).toEqual(paid)
    const page = await topups().list(first.accountId, { limit: 1 })
    expect(page.rows).toEqual([second])
    const next = await topups().list(first.accountId, { limit: 1, cursor: page.nextCursor! })
    expect(next).toEqual({ rows: [paid], nextCursor: null })
    const { id: other } = await newAccount(opened().storage)
    await expect(topups().list(other, { limit: 1, cursor: page.nextCursor! })).rejects.toThrow('cursor')
  })

  describe('a change', () => {
    it('posts a reference once, even concurrently', async () => {
      const topup = await open()
      const changes = await Promise.all(
        Array.from({ length: 100 }, () =>
          topups().change(topup.id, () => ({ movements: [credit(topup, '25')] }), startMs),
        ),
      )
      expect(changes.filter((changed) => changed!.posted.length > 0)).toHaveLength(1)
      expect(await topups().find(topup.id)).toMatchObject({ paidPico: parseUsd('25'), paidAtMs: startMs })
      const list = await opened().storage.ledger.list(topup.accountId, { limit: 5 })
      expect(list.rows.map(({ kind, reference }) => [kind, reference])).toEqual([
        ['topup', `topup:${topup.id}`],
      ])
    })

    it('goes to the named key, or to that key’s heir once it is revoked', async () => {
      const { id: accountId } = await newAccount(opened().storage)
      const oldest = await newKey(opened().storage, accountId, startMs)
      const named = await newKey(opened().storage, accountId, startMs + 1)
      await pay(await open({ accountId, keyId: named.id }), '10')
      expect((await opened().storage.apiKeys.find(accountId, named.id))!.balancePico).toBe(parseUsd('10'))
      await opened().storage.apiKeys.revoke(accountId, named.id, startMs)
      await pay(await open({ accountId, keyId: named.id }), '7')
      expect((await opened().storage.apiKeys.find(accountId, oldest.id))!.balancePico).toBe(parseUsd('17'))
    })

    it('is unassigned if the account has no key, and is taken back from there', async () => {
      const topup = await pay(await open(), '25')
      const account = await opened().storage.accounts.find(topup.accountId)
      expect(account!.unassignedPico).toBe(parseUsd('25'))
      const refund: TopupMovement = {
        of: 'refunded',
        kind: 'refund',
        amountPico: -parseUsd('30'),
        reference: `refund:${topup.id}:1`,
        reason: 'refund',
      }
      const changed = await topups().change(topup.id, () => ({ movements: [refund] }), startMs)
      expect(changed!.topup.refundedPico).toBe(parseUsd('30'))
      const after = await opened().storage.accounts.find(topup.accountId)
      expect(formatUsd(after!.unassignedPico)).toBe('-5')
    })

    it('takes back from the key that got the credit, not from a later default key', async () => {
      const { id: accountId } = await newAccount(opened().storage)
      const first = await newKey(opened().storage, accountId, startMs)
      const topup = await pay(await open({ accountId }), '25')
      const second = await newKey(opened().storage, accountId, startMs + 1)
      const taken: TopupMovement = {
        of: 'disputed',
        kind: 'refund',
        amountPico: -parseUsd('25'),
        reference: `dispute:${topup.id}:dp_1`,
        reason: 'dispute',
      }
      const returned: TopupMovement = {
        of: 'disputed',
        kind: 'reversal',
        reverses: taken.reference,
        reference: `dispute:${topup.id}:dp_1:ended`,
        reason: 'won',
      }
      const changed = await topups().change(topup.id, () => ({ movements: [taken, returned] }), startMs)
      expect(changed!.topup.disputedPico).toBe(0n)
      const [dispute, ended] = changed!.posted
      expect(dispute).toMatchObject({ kind: 'refund', debitAccount: `key:${first.id}` })
      expect(ended).toMatchObject({
        kind: 'adjustment',
        creditAccount: `key:${first.id}`,
        correctsTransferId: dispute!.id,
      })
      expect((await opened().storage.apiKeys.find(accountId, second.id))!.balancePico).toBe(0n)
      expect(await balanceOf(accountId)).toBe('25')
    })

    it('that fails leaves neither an entry nor a sum', async () => {
      const { id: accountId } = await newAccount(opened().storage)
      await newKey(opened().storage, accountId)
      const topup = await open({ accountId })
      await pay(topup, '9000000')
      const beyond = { ...credit(topup, '9000000'), reference: uniqueText() }
      const other = { ...credit(topup, '1'), reference: uniqueText() }
      const again = topups().change(topup.id, () => ({ movements: [other, beyond] }), startMs)
      await expect(again).rejects.toThrow('64 bits')
      expect(await balanceOf(accountId)).toBe('9000000')
      expect((await topups().find(topup.id))!.paidPico).toBe(parseUsd('9000000'))
    })

    it('of an unknown top-up has no effect', async () => {
      expect(await topups().change('top_unknown', () => ({ movements: [] }), startMs)).toBeUndefined()
    })
  })

  it('is claimed by one of many callers, and due again later', async () => {
    const topup = await open()
    const claims = await Promise.all([1, 2, 3, 4].map(() => topups().claimDue(100, startMs + minuteMs)))
    expect(claims.flat().filter(({ id }) => id === topup.id)).toHaveLength(1)
    const dueAt = async (nowMs: number): Promise<boolean> =>
      (await topups().claimDue(1_000, nowMs)).some(({ id }) => id === topup.id)
    expect(await dueAt(startMs + 5 * minuteMs)).toBe(false)
    expect(await dueAt(startMs + 20 * hourMs)).toBe(true)
    expect(await dueAt(startMs + 24 * hourMs)).toBe(false)
    expect(await dueAt(startMs + 26 * hourMs)).toBe(true)
    await pay(topup, '25')
    expect(await dueAt(startMs + 1_000 * hourMs)).toBe(false)
  })

  it('is claimed out of turn only if nobody has just done so', async () => {
    const topup = await open()
    const nowMs = startMs + minuteMs
    const claims = await Promise.all([1, 2, 3].map(() => topups().claim(topup.id, nowMs - 5_000, nowMs)))
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('is compared with its entries by `ledger.verify`', async () => {
    const topup = await pay(await open(), '25')
    await opened().database.execute(`UPDATE topups SET paid_pico = paid_pico + 1 WHERE id = '${topup.id}'`)
    const { ok, differences } = await opened().storage.ledger.verify()
    expect([ok, differences]).toEqual([
      false,
      [{ subject: `what was paid of ${topup.id}`, expected: '25000000000000', found: '25000000000001' }],
    ])
    await opened().database.execute(`UPDATE topups SET paid_pico = paid_pico - 1 WHERE id = '${topup.id}'`)
  })

  it('counts towards its account’s lifetime total for as long as the money stays', async () => {
    const topup = await pay(await open(), '25')
    await pay(await open({ accountId: topup.accountId }), '10000')
    const refund: TopupMovement = {
      of: 'refunded',
      kind: 'refund',
      amountPico: -parseUsd('5'),
      reference: `refund:${topup.id}:1`,
      reason: 'refund',
    }
    await topups().change(topup.id, () => ({ movements: [refund] }), startMs)
    expect(formatUsd(await topups().lifetimePico(topup.accountId))).toBe('10020')
    expect(await topups().lifetimePico((await newAccount(opened().storage)).id)).toBe(0n)
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true })
  })
})
