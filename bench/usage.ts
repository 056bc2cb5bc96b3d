import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UsageFilter } from '@turnpike/gateway'
import { openStorage, type DatabaseOptions } from '@turnpike/storage'
import { findPostgres } from '@turnpike/storage/testing/find-postgres.ts'
import { newAccount, newKey } from '@turnpike/storage/testing/fixtures.ts'
import { generateUsage } from '@turnpike/storage/testing/generated-usage.ts'
import { openDatabase } from '@turnpike/storage/testing/open-database.ts'
import { startCluster } from '@turnpike/storage/testing/postgres.ts'
import { median } from './report/statistics.ts'
import { alignColumns } from './report/table.ts'
import { usageQuestions } from './usage-questions.ts'

const requests = 10_000_000
const days = 365
const keys = 24
const dayMs = 86_400_000
const repeats = 7

/**
 * Times queries about a year of usage of one account, on both engines.
 * @returns false if one exceeded its budget
 */
export async function measureUsage(): Promise<boolean> {
  console.log(
    `Generating the totals of ${group(requests)} requests over ${days} days, of one account with ${keys} ` +
      'keys: no rows of single requests, which figures never read.',
  )
  const engines = new Map<string, number[]>([['SQLite', await onSqlite()]])
  const programs = findPostgres()
  if (programs === undefined) console.log('There is no PostgreSQL 15 or newer here: only SQLite is measured.')
  else engines.set('PostgreSQL', await onPostgres(programs))
  const names = [...engines.keys()]
  const rows = Object.keys(usageQuestions).map((question, row) => [
    question,
    ...names.map((name) => engines.get(name)![row]!.toFixed(1)),
  ])
  console.log(`\n${alignColumns([[`median of ${repeats}, ms`, ...names], ...rows])}\n`)
  const verdicts = Object.entries(usageQuestions).flatMap(([question, { budgetMs }], row) =>
    budgetMs === undefined
      ? []
      : names.map((name) => ({
          text: `${question} ≤ ${budgetMs} ms on ${name}`,
          isPassed: engines.get(name)![row]! <= budgetMs,
        })),
  )
  for (const { text, isPassed } of verdicts) console.log(`${text}: ${isPassed ? 'pass' : 'MISS'}`)
  return verdicts.every(({ isPassed }) => isPassed)
}

async function onSqlite(): Promise<number[]> {
  const directory = mkdtempSync(join(tmpdir(), 'turnpike-bench-usage-'))
  try {
    return await measureEngine('SQLite', { engine: 'sqlite', path: join(directory, 'turnpike.db') })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function onPostgres(programs: string): Promise<number[]> {
  const cluster = await startCluster(programs)
  try {
    return await measureEngine('PostgreSQL', { engine: 'postgres', url: cluster.url })
  } finally {
    await cluster.remove()
  }
}

async function measureEngine(name: string, options: DatabaseOptions): Promise<number[]> {
  const storage = await openStorage(options)
  try {
    const { id: accountId } = await newAccount(storage)
    const keyIds: string[] = []
    for (let count = 0; count < keys; count++) keyIds.push((await newKey(storage, accountId)).id)
    const toMs = (Math.floor(Date.now() / dayMs) + 1) * dayMs
    const filter: UsageFilter = { accountId, fromMs: toMs - days * dayMs, toMs }
    await generate(name, options, { accountId, keyIds, requests, days, toMs })
    const { totalRequests } = await storage.usage.summary(filter)
    console.log(`${name}: the summary counts ${group(totalRequests)} successful requests`)
    const medians: number[] = []
    for (const { ask } of Object.values(usageQuestions)) {
      const times: number[] = []
      for (let repeat = 0; repeat < repeats; repeat++) {
        const startMs = performance.now()
        await ask(storage, filter)
        times.push(performance.now() - startMs)
      }
      medians.push(median(times))
    }
    return medians
  } finally {
    await storage.close()
  }
}

async function generate(
  name: string,
  options: DatabaseOptions,
  usage: Parameters<typeof generateUsage>[1],
): Promise<void> {
  const startMs = performance.now()
  const database = await openDatabase(options)
  try {
    const { requests, rows } = await generateUsage(database, usage)
    const seconds = Math.round((performance.now() - startMs) / 1000)
    console.log(`${name}: ${group(requests)} requests as ${group(rows)} rows of totals, in ${seconds} s`)
  } finally {
    await database.close()
  }
}

const group = (number: number): string => number.toLocaleString('en')
