import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PriceHistoryEntry } from '@turnpike/billing'
import { openStorage, type Storage } from '@turnpike/storage'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestNode } from '../../../tests/nodes/test-node.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'turnpike-price-history-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const input = (file: string, markup: string) => ({
  providers: { openai: { api_keys: ['k'] } },
  prices: { file },
  billing: { markup },
})

async function changesOf(storage: Storage): Promise<[string, string, string | null, string | null][]> {
  const { rows } = await storage.priceHistory.list({}, { limit: 200 })
  return rows.map(({ model, price, before, after }: PriceHistoryEntry) => [model, price, before, after])
}

it('a refresh, a new markup at a restart and a removed file are each recorded once', async () => {
  const file = join(directory, 'list.json')
  const write = (input: number) =>
    writeFileSync(
      file,
      JSON.stringify([
        {
          id: 'openai',
          models: [
            {
              id: 'gpt-4o-mini',
              match: { equals: 'gpt-4o-mini' },
              prices: { input_mtok: input, cache_read_mtok: 0.1, output_mtok: 9 },
            },
          ],
        },
      ]),
    )
  write(1)
  const dataDir = join(directory, 'data')
  const node = await startTestNode({ dataDir, input: input(file, '1.0') })
  write(2)
  await node.admin('/prices/refresh', { method: 'POST' })
  await node.admin('/prices/refresh', { method: 'POST' })
  await node.stop()
  const storage = await openStorage({ engine: 'sqlite', path: join(dataDir, 'turnpike.db') })
  const first = await changesOf(storage)
  await storage.close()
  expect(first.filter(([model]) => model === 'openai/gpt-4o-mini')).toEqual([
    ['openai/gpt-4o-mini', 'prompt', '0.000001', '0.000002'],
  ])

  const again = await startTestNode({ dataDir, input: input(file, '1.2') })
  await again.stop()
  const third = await startTestNode({ dataDir, input: input(file, '1.2') })
  const { data } = await third.admin<{ data: object[] }>('/prices/changes?model=*')
  expect(data).toMatchObject([
    { model: '*', price: 'markup', before: '1.0', after: '1.2', source: 'the configuration' },
  ])
  await third.stop()
})
