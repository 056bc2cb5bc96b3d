import { expect, it } from 'vitest'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 15, 12)
const finished = { state: 'finished' as const, checked: 3, differences: [] }

onEachEngine((opened) => {
  const store = () => opened().storage.verifications

  it('only one runs at a time, even if many nodes begin at once', async () => {
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, node) => store().begin(`node_${node}`, nowMs)),
    )
    expect(begun.filter((one) => one.begun)).toHaveLength(1)
    expect(new Set(begun.map(({ run }) => run.id)).size).toBe(1)
    const [{ run }] = begun as [(typeof begun)[0]]
    await store().advance(run.id, 2, nowMs + 1)
    expect(await store().find(run.id)).toMatchObject({ state: 'running', checked: 2, finishedAtMs: null })
    const differences = [{ subject: "balance of 'x'", expected: '1', found: '2' }]
    await store().end(run.id, { ...finished, differences }, nowMs + 2)
    expect(await store().find(run.id)).toMatchObject({ state: 'finished', differences, checked: 3 })
  })

  it('a verification whose node went silent has ended', async () => {
    const { run: lost } = await store().begin('node_a', nowMs + 10)
    expect((await store().begin('node_b', nowMs + 50_000)).run.id).toBe(lost.id)
    const { run, begun } = await store().begin('node_b', nowMs + 120_000)
    expect([begun, run.id === lost.id]).toEqual([true, false])
    expect(await store().find(lost.id)).toMatchObject({ state: 'stopped', checked: 0 })
    // A late report does not make it run again.
    await store().advance(lost.id, 9, nowMs + 121_000)
    expect(await store().find(lost.id)).toMatchObject({ state: 'stopped', checked: 0 })
    await store().end(run.id, finished, nowMs + 122_000)
  })

  it('the newest hundred are kept', async () => {
    for (let count = 0; count < 105; count++) {
      const { run } = await store().begin('node_a', nowMs + 200_000 + count)
      await store().end(run.id, finished, nowMs + 200_000 + count)
    }
    const { rows } = await store().list({}, { limit: 200 })
    expect(rows).toHaveLength(100)
    expect((await store().list({ fromMs: nowMs + 200_104 }, { limit: 200 })).rows).toHaveLength(1)
  })

  it('begins only if none is newer than the last one seen', async () => {
    const seen = (await store().newest())!
    const atMs = nowMs + 300_000
    const stale = await store().begin('node_a', atMs, null)
    expect(stale).toMatchObject({ begun: false, run: { id: seen.id } })
    const both = await Promise.all(['node_a', 'node_b'].map((node) => store().begin(node, atMs + 1, seen.id)))
    expect(both.filter(({ begun }) => begun)).toHaveLength(1)
    const { run } = both.find(({ begun }) => begun)!
    await store().end(run.id, finished, atMs + 2)
    // The other node looked before that, and comes late.
    expect((await store().begin('node_b', atMs + 3, seen.id)).begun).toBe(false)
    expect(await store().newest()).toMatchObject({ id: run.id, state: 'finished' })
  })

  it('notifies operators of a difference once, however it is found', async () => {
    const notifications = async () => {
      const { rows } = await opened().storage.events.list(null, { limit: 200 }, 'ledger.difference')
      return rows.map(({ data }) => [data['differences'], data['new_differences']])
    }
    const before = (await notifications()).length
    const since = async () => (await notifications()).slice(0, -before || undefined)
    let atMs = nowMs + 400_000
    const verify = async (...differences: object[]) => {
      const { run } = await store().begin('node_a', atMs++)
      await store().end(run.id, { ...finished, differences: differences as never }, atMs++)
    }
    const note = (...differences: object[]) =>
      store().note('node_b', { checked: 3, differences: differences as never }, atMs, ++atMs)
    const one = { subject: 'balance of key:1', expected: '100', found: '107' }
    const two = { subject: 'balance of key:2', expected: '1', found: '2' }
    await verify(one)
    await verify({ ...one, expected: '50', found: '57' })
    await note(one)
    expect(await since()).toEqual([[1, 1]])
    await note(one, two)
    await verify(one, two)
    expect(await since()).toEqual([
      [2, 1],
      [1, 1],
    ])
    // Corrected, and then found again.
    await note()
    expect(await store().newest('finished')).toMatchObject({ nodeId: 'node_b', differences: [], checked: 3 })
    const quiet = (await store().newest())!.id
    await note()
    expect((await store().newest())!.id).toBe(quiet)
    await Promise.all([note(two), note(two)])
    expect((await since()).slice(0, 2)).toEqual([
      [1, 1],
      [2, 1],
    ])
  })
})
