import { randomBytes } from 'node:crypto'
import { callerFormats } from '@turnpike/dialects'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FoundItems } from './found-items.ts'
import { KeptAnswers, type KeptSettings } from './kept-answers.ts'
import type { AnswerOwner, KeptAnswerStore, SealedAnswer, WantedItems } from './store.ts'

const mebibyte = 1024 * 1024
const room = { keepFetched: () => {} }
const input = Buffer.from('[{"role":"user","content":"Hi"}]')
const own: AnswerOwner = { accountId: 'acct_1', memberId: null, projectId: null }
const other: AnswerOwner = { ...own, accountId: 'acct_2' }
const newId = (): string => `resp_${newIdentifier('req')}`

/** An in-memory database that is unavailable or rejects writes when a test says so. */
class FakeStore implements KeptAnswerStore {
  readonly rows = new Map<string, SealedAnswer>()
  readonly batches: number[] = []
  failure: ((answers: readonly SealedAnswer[]) => Error | undefined) | undefined
  found = 0
  /** Delays the database's response after it has written. */
  answering: Promise<void> | undefined

  async write(answers: readonly SealedAnswer[]): Promise<number> {
    const failure = this.failure?.(answers)
    if (failure !== undefined) throw failure
    this.batches.push(answers.length)
    for (const answer of answers) this.rows.set(answer.id, answer)
    await this.answering
    return 0
  }

  async find({ accountId, memberId, projectId }: AnswerOwner, id: string): Promise<SealedAnswer | undefined> {
    this.found++
    const row = this.rows.get(id)
    const isOwn = row?.accountId === accountId && row.memberId === memberId && row.projectId === projectId
    return isOwn ? row : undefined
  }

  async findItems({ accountId }: AnswerOwner, { itemIds, answerIds }: WantedItems): Promise<SealedAnswer[]> {
    this.found++
    return [...this.rows.values()].filter(
      (row) =>
        row.accountId === accountId &&
        (answerIds.includes(row.id) || row.itemIds.some((id) => itemIds.includes(id))),
    )
  }

  async drop(owner: AnswerOwner, id: string): Promise<boolean> {
    return (await this.find(owner, id)) !== undefined && this.rows.delete(id)
  }

  async dropExpired(): Promise<void> {}
}

const away = new GatewayError('service_unavailable', 'The database cannot be reached at the moment.')

function setUp(settings: Partial<KeptSettings> = {}) {
  const store = new FakeStore()
  const log = { warn: vi.fn(), error: vi.fn() }
  const kept = new KeptAnswers(
    store,
    {
      storeMs: 1_000,
      encryptionKeys: [randomBytes(32)],
      maxAnswerBytes: 32 * mebibyte,
      maxAccountBytes: 1024 * mebibyte,
      isShared: false,
      ...settings,
    },
    log,
  )
  return { store, log, kept }
}

function keep(kept: KeptAnswers, id: string, answer: object = { id }, owner = own): boolean {
  return kept.keeperOf(owner, id, input)!.keep(answer, [])
}

const opened: KeptAnswers[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

describe('kept answers', () => {
  it('are found at once, and after they are written', async () => {
    const { store, kept } = setUp()
    opened.push(kept)
    const id = newId()
    expect(keep(kept, id)).toBe(true)
    expect((await kept.find(own, id, room))?.answer.toString()).toBe(JSON.stringify({ id }))
    expect(store.found).toBe(0)
    expect(await kept.find(other, id, room)).toBeUndefined()
    await kept.close()
    expect(store.rows.get(id)!.expiresAtMs - store.rows.get(id)!.createdAtMs).toBe(1_000)
    const found = await kept.find(own, id, room)
    expect([found?.answer.toString(), found?.input.toString()]).toEqual([
      JSON.stringify({ id }),
      input.toString(),
    ])
    expect(kept.tally).toMatchObject({ kept: 1, failed: 0 })
  })

  it('are written in batches', async () => {
    const { store, kept } = setUp()
    for (let count = 0; count < 40; count++) keep(kept, newId())
    await kept.close()
    expect(store.batches).toEqual([32, 8])
    expect(kept.waitingBytes).toBe(0)
  })

  it('wait while the database is down, as long as there is room', async () => {
    const { store, log, kept } = setUp()
    store.failure = () => away
    const large = { text: 'x'.repeat(30 * mebibyte) }
    const ids = [newId(), newId()]
    for (const id of ids) expect(keep(kept, id, large)).toBe(true)
    expect(keep(kept, newId(), large)).toBe(false)
    expect(kept.tally.noRoom).toBe(1)
    expect(log.warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('not stored'))
    await vi.waitFor(() =>
      expect(log.warn).toHaveBeenCalledWith(
        expect.anything(),
        expect.stringContaining('could not be written'),
      ),
    )
    expect(await kept.find(own, ids[0]!, room)).toBeDefined()
    store.failure = undefined
    await kept.close()
    expect([...store.rows.keys()]).toEqual(ids)
  })

  it('do not block others if the database rejects one', async () => {
    const { store, log, kept } = setUp()
    const ids = [newId(), newId(), newId()]
    store.failure = (answers) => (answers.some(({ id }) => id === ids[1]) ? new Error('no') : undefined)
    for (const id of ids) keep(kept, id)
    await kept.close()
    expect([...store.rows.keys()]).toEqual([ids[0], ids[2]])
    expect(kept.tally).toMatchObject({ kept: 2, failed: 1 })
    expect(log.error).toHaveBeenCalledTimes(1)
  })

  it('are not stored if they are too large, which is counted and logged', () => {
    const { log, kept } = setUp({ maxAnswerBytes: 1_000 })
    expect(keep(kept, newId(), { text: 'x'.repeat(1_000) })).toBe(false)
    expect(kept.keeperOf(own, newId(), undefined)).toBeUndefined()
    expect(kept.tally.tooLarge).toBe(2)
    expect(log.warn).toHaveBeenCalledTimes(2)
  })

  it('can be deleted while they wait, and while they are written', async () => {
    const { store, kept } = setUp()
    const [waiting, writing] = [newId(), newId()]
    keep(kept, waiting)
    expect(await kept.drop(other, waiting)).toBe(false)
    expect(await kept.drop(own, waiting)).toBe(true)
    expect(await kept.drop(own, waiting)).toBe(false)
    keep(kept, writing)
    const closed = kept.close()
    expect(await kept.drop(own, writing)).toBe(true)
    expect(await kept.find(own, writing, room)).toBeUndefined()
    await closed
    expect(store.rows.size).toBe(0)
  })

  it('are reported as deleted only once they are', async () => {
    const { store, kept } = setUp()
    opened.push(kept)
    const { promise, resolve } = Promise.withResolvers<void>()
    store.answering = promise
    const id = newId()
    keep(kept, id)
    await vi.waitFor(() => expect(store.rows.has(id)).toBe(true))
    const dropping = [kept.drop(own, id), kept.drop(own, id)]
    expect(await kept.drop(other, id)).toBe(false)
    const onDropped = vi.fn()
    void dropping[0]!.then(() => onDropped(store.rows.has(id)))
    await new Promise((pause) => setImmediate(pause))
    expect(onDropped).not.toHaveBeenCalled()
    resolve()
    expect(await Promise.all(dropping)).toEqual([true, true])
    expect(onDropped).toHaveBeenCalledWith(false)
  })

  it('can be deleted while the database deletes another one of their batch', async () => {
    const { store, kept } = setUp()
    opened.push(kept)
    const { promise, resolve } = Promise.withResolvers<void>()
    store.answering = promise
    const [first, second] = [newId(), newId()]
    keep(kept, first)
    keep(kept, second)
    await vi.waitFor(() => expect(store.rows.size).toBe(2))
    const dropped = [kept.drop(own, second)]
    const drop = store.drop.bind(store)
    vi.spyOn(store, 'drop').mockImplementation(async (owner, id) => {
      if (id === second) dropped.push(kept.drop(own, first))
      await new Promise((pause) => setImmediate(pause))
      return drop(owner, id)
    })
    resolve()
    await vi.waitFor(() => expect(dropped).toHaveLength(2))
    expect(await Promise.all(dropped)).toEqual([true, true])
    expect(store.rows.size).toBe(0)
  })

  it('are not reported as deleted while the database is down', async () => {
    const { store, kept } = setUp()
    const id = newId()
    store.failure = (answers) => {
      for (const answer of answers) store.rows.set(answer.id, answer)
      return away
    }
    keep(kept, id)
    await vi.waitFor(() => expect(store.rows.has(id)).toBe(true))
    const dropping = vi.spyOn(store, 'drop').mockRejectedValue(away)
    await expect(kept.drop(own, id)).rejects.toMatchObject({ type: 'service_unavailable' })
    expect(await kept.find(own, id, room)).toBeUndefined()
    store.failure = undefined
    dropping.mockRestore()
    expect(await kept.drop(own, id)).toBe(true)
    expect(store.rows.size).toBe(0)
    await kept.close()
  })

  it('of another node are looked up again if they may be very recent', async () => {
    const { store, kept } = setUp({ isShared: true })
    const other = setUp({ isShared: true })
    const [recent, old] = [newId(), `resp_${newIdentifier('req', Date.now() - 3_600_000)}`]
    const finding = kept.find(own, recent, room)
    keep(other.kept, recent)
    await other.kept.close()
    store.rows.set(recent, other.store.rows.get(recent)!)
    // Sealed with another key: it is found, but cannot be opened.
    expect(await finding).toBeUndefined()
    expect(store.found).toBeGreaterThan(1)
    store.found = 0
    expect(await kept.find(own, old, room)).toBeUndefined()
    expect(await kept.find(own, 'x'.repeat(65), room)).toBeUndefined()
    expect(store.found).toBe(1)
  })

  describe('kept items', () => {
    const { kept: format } = callerFormats.find(({ name }) => name === 'openai-responses')!
    const message = (id: string, text: string) => ({ type: 'message', id, content: text })
    const search = (...ids: string[]) => new FoundItems(new Set(ids), format!, mebibyte)

    it('are found while their answer waits and after it is written, within their account', async () => {
      const { store, kept } = setUp()
      const id = newId()
      const ownId = `msg_${id.slice('resp_'.length)}_1`
      const output = [message('msg_vendor', 'one'), message(ownId, 'two')]
      kept.keeperOf(own, id, input)!.keep({ id, output }, ['msg_vendor'])
      for (const asked of [0, 1]) {
        const found = search('msg_vendor', ownId)
        await kept.findItems(own, found, room)
        expect([...found.texts.values()]).toEqual(output.map((item) => JSON.stringify(item)))
        expect([store.found, found.missing]).toEqual([asked, []])
        const others = search('msg_vendor', ownId)
        await kept.findItems(other, others, room)
        expect([...others.texts]).toEqual([])
        store.found = 0
        if (asked === 0) await kept.close()
      }
    })

    it('are not found if two have the same id', async () => {
      const { kept } = setUp()
      for (const text of ['one', 'other']) {
        const id = newId()
        kept.keeperOf(own, id, input)!.keep({ id, output: [message('msg_1', text)] }, ['msg_1'])
      }
      const found = search('msg_1')
      await kept.findItems(own, found, room)
      await kept.close()
      expect([...found.ambiguous]).toEqual(['msg_1'])
    })

    it('are searched for only within the size that a body may have', async () => {
      const { kept } = setUp()
      const id = newId()
      kept.keeperOf(own, id, input)!.keep({ id, output: [message('msg_1', 'x'.repeat(mebibyte))] }, ['msg_1'])
      const refusal = { status: 413, param: 'input' }
      await expect(kept.findItems(own, search('msg_1'), room)).rejects.toMatchObject(refusal)
      await kept.close()
      await expect(kept.findItems(own, search('msg_1'), room)).rejects.toMatchObject(refusal)
    })

    it('without an id are not looked up', async () => {
      const { store, kept } = setUp()
      await kept.findItems(own, search('', 'a b', 'x'.repeat(200), 'ü'), room)
      expect(store.found).toBe(0)
    })
  })

  it('reserve memory before they are opened', async () => {
    const { kept } = setUp()
    const id = newId()
    keep(kept, id)
    await kept.close()
    const full = {
      keepFetched: () => {
        throw away
      },
    }
    await expect(kept.find(own, id, full)).rejects.toBe(away)
  })
})
