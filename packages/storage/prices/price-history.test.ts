import { expect, it } from 'vitest'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 15, 12)

onEachEngine((opened) => {
  const store = () => opened().storage.priceHistory
  const list = (prices: Record<string, Record<string, string>>, nodeId = 'node_a') => ({
    version: `prices_${JSON.stringify(prices).length}`,
    prices,
    nodeId,
    sourceOf: (model: string) => (model === 'a/own' ? 'the configuration' : 'built in'),
  })
  const first = { 'a/own': { prompt: '1' }, 'a/old': { prompt: '1', request: '2' } }
  const second = { 'a/own': { prompt: '2', completion: '3' }, 'a/new': { prompt: '5' } }

  it('records each changed price with its source, and nothing for the first list', async () => {
    expect(await store().record(list(first), nowMs)).toBe(0)
    expect(await store().record(list(second), nowMs + 1)).toBe(5)
    const { rows } = await store().list({}, { limit: 10 })
    const found = rows.map(({ model, price, before, after, source }) => [model, price, before, after, source])
    expect(found).toEqual(
      [
        ['a/new', 'prompt', null, '5', 'built in'],
        ['a/old', 'prompt', '1', null, 'built in'],
        ['a/old', 'request', '2', null, 'built in'],
        ['a/own', 'prompt', '1', '2', 'the configuration'],
        ['a/own', 'completion', null, '3', 'the configuration'],
      ].toReversed(),
    )
  })

  it('records a change once, even if many nodes adopt it at once', async () => {
    const third = { ...second, 'a/new': { prompt: '6' } }
    const counts = await Promise.all(
      Array.from({ length: 6 }, (_, node) => store().record(list(third, `node_${node}`), nowMs + 2)),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await store().record(list(third), nowMs + 3)).toBe(0)
  })

  it('can be filtered by model and time, and paged', async () => {
    expect((await store().list({ model: 'a/new' }, { limit: 10 })).rows).toHaveLength(2)
    expect((await store().list({ model: 'nobody' }, { limit: 10 })).rows).toHaveLength(0)
    expect((await store().list({ fromMs: nowMs + 2 }, { limit: 10 })).rows).toHaveLength(1)
    const page = await store().list({ toMs: nowMs + 2 }, { limit: 3 })
    const rest = await store().list({ toMs: nowMs + 2 }, { limit: 3, cursor: page.nextCursor! })
    expect([page.rows.length, rest.rows.length, rest.nextCursor]).toEqual([3, 2, null])
  })

  it('cannot be changed once written', async () => {
    for (const statement of ['UPDATE price_changes SET after = 0', 'DELETE FROM price_changes'])
      await expect(opened().database.execute(statement)).rejects.toThrow('append-only')
  })
})
