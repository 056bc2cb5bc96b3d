import type { Engine } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

/** One step of the schema. A released step is never changed; a mistake is corrected by a later one. */
export interface Migration {
  number: number
  name: string
  statements(words: EngineWords): string[]
  /** Changes rows in ways that SQL cannot express, after the statements. */
  rewrite?(transaction: Connection): Promise<void>
}

/** The words in which the two engines' definitions differ. */
export interface EngineWords {
  engine: Engine
  /** Ordered by bytes on both engines, so that lists and cursors agree with the time order of identifiers. */
  text: string
  /** 64 bits. */
  integer: string
  /** Of any length. */
  bytes: string
  /** Ends a table's definition. SQLite's STRICT keeps an overflowing sum from turning into a float. */
  tableEnd: string
  /** As `tableEnd`, for narrow tables that are only reached through their primary key. */
  clusteredTableEnd: string
}

export const engineWords: Record<Engine, EngineWords> = {
  sqlite: {
    engine: 'sqlite',
    text: 'TEXT',
    integer: 'INTEGER',
    bytes: 'BLOB',
    tableEnd: ' STRICT',
    clusteredTableEnd: ' STRICT, WITHOUT ROWID',
  },
  postgres: {
    engine: 'postgres',
    text: 'TEXT COLLATE "C"',
    integer: 'BIGINT',
    bytes: 'BYTEA',
    tableEnd: '',
    clusteredTableEnd: '',
  },
}

/** Triggers that make a table's rows immutable once inserted. */
export function appendOnly(table: string, { engine }: EngineWords): string[] {
  const message = `${table} is append-only`
  if (engine === 'sqlite')
    return ['UPDATE', 'DELETE'].map(
      (verb) =>
        `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
         BEGIN SELECT RAISE(ABORT, '${message}'); END`,
    )
  return [
    `CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER ${table}_no_change BEFORE UPDATE OR DELETE ON ${table}
     FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION ${table}_refuse()`,
  ]
}

export interface Refusal {
  /** Name of the trigger. */
  name: string
  /** `BEFORE UPDATE OF column ON table` */
  on: string
  /** SQL over OLD and NEW; absent: always. */
  when?: string
  /** A query over OLD and NEW that must find nothing; absent: no query. */
  exists?: string
  message: string
}

/** A trigger that refuses what a CHECK cannot see: other rows, and the row's earlier values. */
export function refuse({ engine }: EngineWords, { name, on, when, exists, message }: Refusal): string[] {
  const condition = when === undefined ? '' : ` WHEN (${when})`
  if (engine === 'sqlite') {
    const found = exists === undefined ? '' : ` WHERE EXISTS (${exists})`
    return [`CREATE TRIGGER ${name} ${on}${condition} BEGIN SELECT RAISE(ABORT, '${message}')${found}; END`]
  }
  const refusal = `RAISE EXCEPTION '${message}' USING ERRCODE = 'restrict_violation';`
  const body = exists === undefined ? refusal : `IF EXISTS (${exists}) THEN ${refusal} END IF;`
  const row = on.includes('DELETE') ? 'OLD' : 'NEW'
  return [
    `CREATE FUNCTION ${name}_refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN ${body} RETURN ${row}; END $$`,
    `CREATE TRIGGER ${name} ${on} FOR EACH ROW${condition} EXECUTE FUNCTION ${name}_refuse()`,
  ]
}

/** A list of words for a CHECK: `'a', 'b'`. */
export function wordList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}

/** Like `column IN (…)`, for a CHECK on many rows: SQLite would build a table of the words each time. */
export function isOneOf(column: string, words: readonly string[]): string {
  return words.map((word) => `${column} = '${word}'`).join(' OR ')
}
