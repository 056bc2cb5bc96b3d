import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { insertsOf } from './insert-rows.ts'
import type { SqliteValue } from './messages.ts'

const width = 4
/** `tier` and `key_id`. */
const shared = [3, 1]

/** Inserts with the statements, and returns what is stored, in the order of insertion. */
function insert(rows: readonly SqliteValue[][], conflict = ''): { stored: unknown[][]; texts: string[] } {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE t (id TEXT PRIMARY KEY, key_id TEXT, tokens INTEGER, tier TEXT) STRICT')
  const texts: string[] = []
  const values = rows.flat()
  const into = 'INSERT INTO t (id, key_id, tokens, tier)'
  for (const { sql, parameters } of insertsOf({ kind: 'insert', into, conflict, width, shared, values })) {
    texts.push(sql)
    database.prepare(sql).run(...parameters)
  }
  const stored = database
    .prepare('SELECT * FROM t ORDER BY rowid')
    .all()
    .map((row) => Object.values(row))
  database.close()
  return { stored, texts }
}

const rowsWith = (count: number, [keyId, tier]: [SqliteValue, SqliteValue]): SqliteValue[][] =>
  Array.from({ length: count }, (_, row) => [`${String(keyId)}-${row}`, keyId, row, tier])

describe('an insert of many rows', () => {
  it('binds a value that all rows of a statement share only once', () => {
    const rows = rowsWith(32, ['key_a', null])
    const { stored, texts } = insert(rows)
    expect(stored).toEqual(rows)
    expect(texts).toHaveLength(1)
    expect(texts[0]!.split('?')).toHaveLength(1 + 2 + 32 * 2)
  })

  it('binds every value if one row has another', () => {
    const rows = rowsWith(32, ['key_a', 'large'])
    rows[31]![3] = null
    const { stored, texts } = insert(rows)
    expect(stored).toEqual(rows)
    expect(texts[0]!.split('?')).toHaveLength(1 + 32 * width)
  })

  it('leaves rows that exist unchanged', () => {
    const rows = rowsWith(40, ['key_a', 'large'])
    const again = rows.map((row) => row.with(2, 7))
    expect(insert([...rows, ...again], ' ON CONFLICT DO NOTHING').stored).toEqual(rows)
  })

  it('stores the same rows in the same order, however many share their values', () => {
    const seed = randomSeed()
    const random = randomFrom(seed)
    for (let round = 0; round < 50; round++) {
      let [key, tier]: [string, SqliteValue] = ['key_a', null]
      const rows = Array.from({ length: Math.ceil(random() * 130) }, (_, row): SqliteValue[] => {
        if (random() < 0.03) key = `key_${row}`
        if (random() < 0.03) tier = random() < 0.5 ? null : `tier "${row}"`
        return [`req_${row}`, key, Math.floor(random() * 1e6), tier]
      })
      expect(insert(rows).stored, `seed ${seed}`).toEqual(rows)
    }
  })
})
