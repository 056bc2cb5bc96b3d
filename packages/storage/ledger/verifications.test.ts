import { expect, it } from 'vitest'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 15, 12)
const finished = { state: 'finished' as const, checked: 3, differences: [] }

onEachEngine((opened) => {
  const store = () => opened().storage.verifications

  it('one runs at a time, however many nodes begin one at once', async () => {
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

  it('one whose node went silent runs no more', async () => {
    const { run: lost } = await store().begin('node_a', nowMs + 10)
    expect((await store().begin('node_b', nowMs + 50_000)).run.id).toBe(lost.id)
    const { run, begun } = await store().begin('node_b', nowMs + 120_000)
    expect([begun, run.id === lost.id]).toEqual([true, false])
    expect(await store().find(lost.id)).toMatchObject({ state: 'stopped', checked: 0 })
    // What it may still tell does not make it run again.
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
})
