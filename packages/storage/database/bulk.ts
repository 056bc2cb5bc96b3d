import { CompiledQuery } from 'kysely'
import { engineOf } from './engine.ts'
import type { Connection, Schema } from '../schema.ts'
import type { SqliteValue } from '../sqlite/messages.ts'

/**
 * Writes many rows with one statement: most of the time of a flush goes there. On SQLite this is one message
 * to the worker, which inserts many rows per statement or repeats one prepared statement. On PostgreSQL it is
 * one statement over `unnest` of one array per column.
 */
export type BulkValue = SqliteValue

export interface BulkColumn {
  name: string
  type: 'text' | 'bigint'
  /** For amounts: NULL means 0, and takes no space on PostgreSQL. */
  isSparse?: true
  /** Many rows of an insert have the same value here, and SQLite gets it once. */
  isShared?: true
}

export interface BulkQuery extends CompiledQuery {
  readonly width: number
  /** For an insert, whose `sql` ends before its rows: the clause that follows them. */
  readonly conflict?: string
  /** For an insert: the indexes of the shared columns. */
  readonly shared?: readonly number[]
  readonly parameters: readonly BulkValue[]
}

const bulkQueries = new WeakSet<CompiledQuery>()

export function isBulkQuery(query: CompiledQuery): query is BulkQuery {
  return bulkQueries.has(query)
}

/**
 * Inserts rows from one flat list of values. With `ignoreConflicts`, rows that exist already stay unchanged.
 * Returns the indexes of the rows that were not inserted. The first column must be the primary key.
 */
export async function bulkInsert(
  transaction: Connection,
  insert: {
    table: keyof Schema
    columns: readonly BulkColumn[]
    values: BulkValue[]
    ignoreConflicts: boolean
  },
): Promise<number[]> {
  const { table, columns, values, ignoreConflicts } = insert
  if (values.length === 0) return []
  const names = nameList(columns)
  const conflict = ignoreConflicts ? ' ON CONFLICT DO NOTHING' : ''
  if (engineOf(transaction) === 'sqlite') {
    const into = `INSERT INTO ${table} (${names})`
    const shared = columns.flatMap(({ isShared }, column) => (isShared ? [column] : []))
    return runInWorker(transaction, { sql: into, conflict, shared, width: columns.length, values })
  }
  const key = columns[0]!.name
  const { rows } = await transaction.executeQuery<Record<string, string>>(
    CompiledQuery.raw(
      `INSERT INTO ${table} (${names}) SELECT * FROM ${unnest(columns)}${conflict} RETURNING ${key}`,
      byColumn(columns, values),
    ),
  )
  const rowCount = values.length / columns.length
  if (rows.length === rowCount) return []
  const inserted = new Set(rows.map((row) => row[key]))
  const missing: number[] = []
  // Each key counts once: of rows with the same key, only the first was inserted.
  for (let row = 0; row < rowCount; row++) {
    if (!inserted.delete(values[row * columns.length] as string)) missing.push(row)
  }
  return missing
}

/**
 * Adds amounts to the rows with these keys, in the given order, and keeps the greater value of the `latest`
 * columns. A missing row is created with them. `keys` must be the table's primary key.
 */
export async function bulkAdd(
  transaction: Connection,
  addition: {
    table: keyof Schema
    keys: readonly BulkColumn[]
    amounts: readonly BulkColumn[]
    latest?: readonly BulkColumn[]
    values: BulkValue[]
  },
): Promise<void> {
  const { table, keys, amounts, latest = [], values } = addition
  if (values.length === 0) return
  const columns = [...keys, ...amounts, ...latest]
  const greatest = engineOf(transaction) === 'sqlite' ? 'max' : 'greatest'
  const changes = [
    ...amounts.map((amount) => sumOf(table, amount)),
    ...latest.map(({ name }) => `${name} = ${greatest}(${table}.${name}, excluded.${name})`),
  ]
  const conflict = `ON CONFLICT (${nameList(keys)}) DO UPDATE SET ${changes.join(', ')}`
  const into = `INSERT INTO ${table} (${nameList(columns)})`
  if (engineOf(transaction) === 'sqlite') {
    const marks = columns.map(() => '?').join(', ')
    const sql = `${into} VALUES (${marks}) ${conflict}`
    await runInWorker(transaction, { sql, width: columns.length, values })
    return
  }
  await transaction.executeQuery(
    CompiledQuery.raw(`${into} SELECT * FROM ${unnest(columns)} ${conflict}`, byColumn(columns, values)),
  )
}

function sumOf(table: keyof Schema, { name, isSparse }: BulkColumn): string {
  const [there, added] = [`${table}.${name}`, `excluded.${name}`]
  const sum = `${there} + ${added}`
  return `${name} = ${isSparse ? `coalesce(${sum}, ${there}, ${added})` : sum}`
}

/**
 * Runs one UPDATE per row of values. `set` and `where` are SQL over the table's columns and, as `:column`,
 * the row's values. Every column that they name must be in `columns`.
 */
export async function bulkUpdate(
  transaction: Connection,
  update: {
    table: keyof Schema
    columns: readonly BulkColumn[]
    set: string
    where: string
    values: BulkValue[]
  },
): Promise<void> {
  const { table, columns, set, where, values } = update
  if (values.length === 0) return
  if (engineOf(transaction) === 'sqlite') {
    // One value per placeholder: the `node:sqlite` of Node 22 and 24 binds no array to numbers (`?1`).
    const marked: number[] = []
    const withMarks = (text: string): string =>
      text.replace(/:(\w+)/g, (_, name) => {
        marked.push(columns.findIndex((column) => column.name === name))
        return '?'
      })
    const sql = `UPDATE ${table} AS stored SET ${withMarks(set)} WHERE ${withMarks(where)}`
    const bound: BulkValue[] = []
    for (let row = 0; row < values.length; row += columns.length)
      for (const column of marked) bound.push(values[row + column]!)
    await runInWorker(transaction, { sql, width: marked.length, values: bound })
    return
  }
  const qualify = (text: string): string => text.replace(/:(\w+)/g, 'given.$1')
  await transaction.executeQuery(
    CompiledQuery.raw(
      `UPDATE ${table} AS stored SET ${qualify(set)} FROM ${unnest(columns)} WHERE ${qualify(where)}`,
      byColumn(columns, values),
    ),
  )
}

async function runInWorker(
  transaction: Connection,
  statement: Pick<BulkQuery, 'sql' | 'width' | 'conflict' | 'shared'> & { values: BulkValue[] },
): Promise<number[]> {
  const { sql, values, ...rest } = statement
  const query: BulkQuery = { ...CompiledQuery.raw(sql), parameters: values, ...rest }
  bulkQueries.add(query)
  const { rows } = await transaction.executeQuery<number>(query)
  return rows
}

function unnest(columns: readonly BulkColumn[]): string {
  const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`).join(', ')
  return `unnest(${arrays}) AS given (${nameList(columns)})`
}

function nameList(columns: readonly BulkColumn[]): string {
  return columns.map((column) => column.name).join(', ')
}

function byColumn(columns: readonly BulkColumn[], values: BulkValue[]): BulkValue[][] {
  const arrays: BulkValue[][] = columns.map(() => [])
  for (let index = 0; index < values.length; index++) arrays[index % columns.length]!.push(values[index]!)
  return arrays
}
