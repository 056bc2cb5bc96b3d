import type { AnswerOwner, SealedAnswer } from '@turnpike/gateway'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { newAccount, noonMs } from '../testing/fixtures.ts'
import { openDatabase } from '../testing/open-database.ts'
import { onEachEngine } from '../testing/test-database.ts'

const plenty = 1_000_000

const ofAccount = (accountId: string): AnswerOwner => ({ accountId, memberId: null, projectId: null })

function answerOf(accountId: string, changes: Partial<SealedAnswer> = {}): SealedAnswer {
  return {
    id: `resp_${newIdentifier('req')}`,
    ...ofAccount(accountId),
    createdAtMs: noonMs,
    expiresAtMs: noonMs + 1_000,
    keyName: 'k1',
    plainBytes: 900,
    itemIds: [],
    answer: Buffer.from([0, 255, 1, 2, 92, 39]),
    input: Buffer.alloc(94, 7),
    ...changes,
  }
}

onEachEngine((opened) => {
  const store = () => opened().storage.keptAnswers
  const accountId = async (): Promise<string> => (await newAccount(opened().storage)).id

  async function totalOf(id: string): Promise<bigint | undefined> {
    const raw = await openDatabase(opened().database.options)
    try {
      const row = await raw.read
        .selectFrom('kept_answer_totals')
        .select('bytes')
        .where('account_id', '=', id)
        .executeTakeFirst()
      return row?.bytes
    } finally {
      await raw.close()
    }
  }

  describe('a kept answer', () => {
    it('is found as it was written, by its own account only', async () => {
      const [own, other] = [await accountId(), await accountId()]
      const answer = answerOf(own)
      expect(await store().write([answer, answerOf(other)], plenty)).toBe(0)
      const found = await store().find(ofAccount(own), answer.id, noonMs)
      const { itemIds: _none, memberId: _, projectId: __, ...row } = answer
      expect(found).toMatchObject({ ...row, answer: expect.anything(), input: expect.anything() })
      expect(Buffer.from(found!.answer)).toEqual(answer.answer)
      expect(Buffer.from(found!.input)).toEqual(answer.input)
      expect(await store().find(ofAccount(other), answer.id, noonMs)).toBeUndefined()
      expect(await store().drop(ofAccount(other), answer.id, noonMs)).toBe(false)
      expect(await store().find(ofAccount(own), answer.id, noonMs)).toBeDefined()
    })

    it('belongs to one member and one project, and is hidden from their neighbours', async () => {
      const account = ofAccount(await accountId())
      const owners = [
        account,
        { ...account, memberId: 'mem_1' },
        { ...account, memberId: 'mem_2' },
        { ...account, projectId: 'prj_1' },
        { ...account, memberId: 'mem_1', projectId: 'prj_1' },
      ]
      const answers = owners.map((owner) => answerOf(account.accountId, { ...owner, itemIds: ['msg_1'] }))
      await store().write(answers, plenty)
      const wanted = { itemIds: ['msg_1'], answerIds: answers.map(({ id }) => id), mostBytes: plenty }
      for (const [index, owner] of owners.entries()) {
        const found = await Promise.all(answers.map(({ id }) => store().find(owner, id, noonMs)))
        expect(found.map((one) => one?.id)).toEqual(
          answers.map(({ id }, at) => (at === index ? id : undefined)),
        )
        expect(await store().findItems(owner, wanted, noonMs)).toMatchObject([{ id: answers[index]!.id }])
        const [neighbours] = answers.filter((_one, at) => at !== index)
        expect(await store().drop(owner, neighbours!.id, noonMs)).toBe(false)
      }
      for (const [index, owner] of owners.entries())
        expect(await store().drop(owner, answers[index]!.id, noonMs)).toBe(true)
    })

    it('is gone once it is deleted or has expired', async () => {
      const own = await accountId()
      const [dropped, expired] = [answerOf(own), answerOf(own)]
      await store().write([dropped, expired], plenty)
      expect(await store().drop(ofAccount(own), dropped.id, noonMs)).toBe(true)
      expect(await store().drop(ofAccount(own), dropped.id, noonMs)).toBe(false)
      expect(await store().find(ofAccount(own), dropped.id, noonMs)).toBeUndefined()
      expect(await store().find(ofAccount(own), expired.id, noonMs + 999)).toBeDefined()
      expect(await store().find(ofAccount(own), expired.id, noonMs + 1_000)).toBeUndefined()
      expect(await store().drop(ofAccount(own), expired.id, noonMs + 1_000)).toBe(false)
    })

    it('counts once, however often it is written', async () => {
      const own = await accountId()
      const answer = answerOf(own)
      await store().write([answer], plenty)
      await store().write([answer, answerOf(own)], plenty)
      expect(await totalOf(own)).toBe(200n)
      await store().drop(ofAccount(own), answer.id, noonMs)
      expect(await totalOf(own)).toBe(100n)
    })
  })

  describe('items', () => {
    const wantedOf = (itemIds: string[], answerIds: string[] = [], mostBytes = plenty) => ({
      itemIds,
      answerIds,
      mostBytes,
    })

    it('are found by their ids and by those of their answers, in their own account only', async () => {
      const [own, other] = [await accountId(), await accountId()]
      const first = answerOf(own, { itemIds: ['msg_1', 'fc_1'] })
      const second = answerOf(own, { itemIds: ['msg_2', 'fc_1'] })
      const named = answerOf(own)
      const others = answerOf(other, { itemIds: ['msg_1'] })
      await store().write([first, second, named, others], plenty)
      const found = async (wanted: ReturnType<typeof wantedOf>, account = own, nowMs = noonMs) =>
        (await store().findItems(ofAccount(account), wanted, nowMs)).map(({ id }) => id)
      expect(await found(wantedOf(['msg_1']))).toEqual([first.id])
      expect(await found(wantedOf(['fc_1', 'msg_2']))).toEqual([first.id, second.id])
      expect(await found(wantedOf(['msg_2', 'x'], [named.id, others.id]))).toEqual([second.id, named.id])
      expect(await found(wantedOf(['msg_2'], [named.id]), other)).toEqual([])
      expect(await found(wantedOf(['msg_1']), own, noonMs + 1_000)).toEqual([])
      const [row] = await store().findItems(ofAccount(own), wantedOf(['msg_1']), noonMs)
      expect(row).toMatchObject({ id: first.id, accountId: own, keyName: 'k1', plainBytes: 900 })
      expect(Buffer.from(row!.answer)).toEqual(first.answer)
    })

    it('are read up to a number of bytes', async () => {
      const own = await accountId()
      const answers = [1, 2, 3].map((at) =>
        answerOf(own, { itemIds: [`msg_${at}`], answer: Buffer.alloc(100) }),
      )
      await store().write(answers, plenty)
      const ids = answers.map(({ id }) => id)
      for (const [mostBytes, count] of [
        [100, 1],
        [101, 2],
        [201, 3],
      ] as const)
        expect(await store().findItems(ofAccount(own), wantedOf(['x'], ids, mostBytes), noonMs)).toHaveLength(
          count,
        )
    })

    it('are deleted with their answer, and may exceed one statement', async () => {
      const own = await accountId()
      const itemIds = Array.from({ length: 1_000 }, (_, index) => `msg_${index}`)
      const [many, more] = [answerOf(own, { itemIds }), answerOf(own, { itemIds: ['msg_a'] })]
      await store().write([many, more], plenty)
      await store().write([many], plenty)
      expect(await store().findItems(ofAccount(own), wantedOf([...itemIds, 'msg_a']), noonMs)).toHaveLength(2)
      await store().drop(ofAccount(own), many.id, noonMs)
      await opened().storage.accounts.update(own, { status: 'closed' })
      const raw = await openDatabase(opened().database.options)
      try {
        const left = await raw.read
          .selectFrom('kept_items')
          .selectAll()
          .where('account_id', '=', own)
          .execute()
        expect(left).toEqual([])
      } finally {
        await raw.close()
      }
    })
  })

  it('the oldest answers of an account beyond its limit are deleted, and no other account’s', async () => {
    const [own, other] = [await accountId(), await accountId()]
    const others = answerOf(other, { createdAtMs: noonMs - 1_000 })
    const answers = Array.from({ length: 250 }, (_, index) => answerOf(own, { createdAtMs: noonMs + index }))
    expect(await store().write([others, ...answers], 25_000)).toBe(0)
    const latest = answerOf(own, { createdAtMs: noonMs + 250, input: Buffer.alloc(12_394) })
    expect(await store().write([latest], 25_000)).toBe(124)
    expect(await totalOf(own)).toBe(25_000n)
    expect(await store().find(ofAccount(own), answers[123]!.id, noonMs)).toBeUndefined()
    expect(await store().find(ofAccount(own), answers[124]!.id, noonMs)).toBeDefined()
    expect(await store().find(ofAccount(own), latest.id, noonMs)).toBeDefined()
    expect(await store().find(ofAccount(other), others.id, noonMs)).toBeDefined()
  })

  it('expired answers are deleted, and others stay', async () => {
    const own = await accountId()
    const old = Array.from({ length: 210 }, () => answerOf(own))
    const young = answerOf(own, { expiresAtMs: noonMs + 10_000 })
    await store().write([...old, young], plenty)
    await store().dropExpired(noonMs + 1_000)
    expect(await store().find(ofAccount(own), old[0]!.id, noonMs)).toBeUndefined()
    expect(await store().find(ofAccount(own), young.id, noonMs)).toBeDefined()
    expect(await totalOf(own)).toBe(100n)
  })

  it('a closed account has no answers and gets no new ones', async () => {
    const own = await accountId()
    const answer = answerOf(own)
    await store().write([answer], plenty)
    await opened().storage.accounts.update(own, { status: 'closed' })
    expect(await store().find(ofAccount(own), answer.id, noonMs)).toBeUndefined()
    expect(await totalOf(own)).toBeUndefined()
    await store().write([answer], plenty)
    expect(await store().find(ofAccount(own), answer.id, noonMs)).toBeUndefined()
  })

  it('answers written while an account was being closed are deleted with expired ones', async () => {
    const own = await accountId()
    const answer = answerOf(own)
    await store().write([answer], plenty)
    await opened().database.execute(`UPDATE accounts SET status = 'closed' WHERE id = '${own}'`)
    await store().dropExpired(noonMs)
    expect(await totalOf(own)).toBeUndefined()
    expect(await store().find(ofAccount(own), answer.id, noonMs)).toBeUndefined()
  })

  it('many nodes can write for the same accounts at once', async () => {
    const accounts = [await accountId(), await accountId(), await accountId()]
    const { options } = opened().database
    const others = await Promise.all([openStorage(options), openStorage(options)])
    const stores = [store(), ...others.map(({ keptAnswers }) => keptAnswers)]
    await Promise.all(
      stores.flatMap((one) =>
        Array.from({ length: 8 }, (_, round) =>
          one.write(
            accounts.toReversed().map((id) => answerOf(id, { createdAtMs: noonMs + round })),
            1_000,
          ),
        ),
      ),
    )
    for (const id of accounts) expect(await totalOf(id)).toBe(1_000n)
    await Promise.all(others.map((one) => one.close()))
  })
})
