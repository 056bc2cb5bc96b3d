import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { newIdentifier } from '@turnpike/protocol'
import type { FloorRow } from './floor-row.ts'

/**
 * The thread that writes the floor's rows: of the gateway's tables those that a request changes, with the
 * indices without which its lists could not be read, and nothing that would refuse a wrong row.
 */
const database = new DatabaseSync(workerData as string)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
  CREATE TABLE requests (
    id TEXT PRIMARY KEY, account TEXT, key TEXT, started_ms INTEGER, duration_ms INTEGER, asked TEXT, served TEXT,
    tags TEXT, outcome TEXT, status INTEGER, usage TEXT, tokens_in INTEGER, tokens_out INTEGER, price TEXT,
    charge_pico INTEGER
  );
  CREATE INDEX requests_by_account ON requests (account, id);
  CREATE TABLE ledger (
    id TEXT PRIMARY KEY, kind TEXT, reference TEXT UNIQUE, debit TEXT, credit TEXT, amount_pico INTEGER,
    account TEXT, created_ms INTEGER
  );
  CREATE INDEX ledger_by_account ON ledger (account, id);
  CREATE TABLE balances (id TEXT PRIMARY KEY, pico INTEGER);
  CREATE TABLE totals (
    hour INTEGER, key TEXT, model TEXT, requests INTEGER, tokens_in INTEGER, tokens_out INTEGER, pico INTEGER,
    PRIMARY KEY (hour, key, model)
  );
`)

const rowsAtOnce = 32
const insertRequests = insertion('requests', 15)
const insertEntries = insertion('ledger', 8)
const charge = database.prepare(
  'INSERT INTO balances VALUES (?, ?) ON CONFLICT DO UPDATE SET pico = pico + excluded.pico',
)
const addTotal = database.prepare(
  `INSERT INTO totals VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests,
   tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out,
   pico = pico + excluded.pico`,
)

type Value = string | number | bigint

/** Inserts lists of rows, many a statement. */
function insertion(table: string, columns: number): (rows: readonly Value[][]) => void {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  const prepare = (count: number) =>
    database.prepare(`INSERT INTO ${table} VALUES ${Array.from({ length: count }, () => row).join(', ')}`)
  const many = prepare(rowsAtOnce)
  const one = prepare(1)
  return (rows) => {
    let next = 0
    for (; next + rowsAtOnce <= rows.length; next += rowsAtOnce)
      many.run(...rows.slice(next, next + rowsAtOnce).flat())
    for (; next < rows.length; next++) one.run(...rows[next]!)
  }
}

parentPort!.on('message', (lines: string) => {
  const rows = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as FloorRow[]
  database.exec('BEGIN IMMEDIATE')
  insertRequests(rows.map(requestOf))
  insertEntries(rows.map(entryOf))
  addSums(rows)
  database.exec('COMMIT')
})

function requestOf(row: FloorRow): Value[] {
  const { id, accountId, keyId, startedAtMs, durationMs, asked, served, outcome, status } = row
  const [tags, usage] = [JSON.stringify(row.tags), JSON.stringify(row.usage)]
  const charged = Number(row.chargePico)
  const named = [id, accountId, keyId, startedAtMs, durationMs, asked, served]
  return named.concat(tags, outcome, status, usage, row.tokensIn, row.tokensOut, row.price, charged)
}

function entryOf({ id, keyId, accountId, chargePico, startedAtMs }: FloorRow): Value[] {
  const debit = `key:${keyId}`
  return [
    newIdentifier('led'),
    'usage',
    `usage:${id}`,
    debit,
    'revenue',
    BigInt(chargePico),
    accountId,
    startedAtMs,
  ]
}

/** All of them are of one key and one model. */
function addSums(rows: readonly FloorRow[]): void {
  const { keyId, served, startedAtMs } = rows[0]!
  let [tokensIn, tokensOut, pico] = [0, 0, 0n]
  for (const row of rows) {
    tokensIn += row.tokensIn
    tokensOut += row.tokensOut
    pico += BigInt(row.chargePico)
  }
  charge.run(keyId, -pico)
  addTotal.run(Math.floor(startedAtMs / 3_600_000), keyId, served, rows.length, tokensIn, tokensOut, pico)
}
