import { inject, it, expect, describe } from 'vitest'
import { outage } from './fleet/outage.ts'
import { differenceLines, summaryRows, type Report } from './report.ts'
import { torture } from './run.ts'
import { shortOutageMs, shortRun } from './settings.ts'

const durationMs = 20_000
/** A hanging run ends before vitest's timeout does, and reports what it has seen. */
const deadlineMs = 600_000
const timeoutMs = deadlineMs + 60_000

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Printed first, so that a run that fails or hangs can be repeated. */
function announcedSeed(): number {
  const seed = Date.now() % 1_000_000_000
  say(`torture test: seed ${seed}`)
  return seed
}

function expectNoDifference(report: Report): void {
  say(
    summaryRows(report)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
  )
  const differences = differenceLines(report)
  for (const line of differences) say(`torture test: seed ${report.seed}: ${line}`)
  expect(differences).toEqual([])
}

describe('a short torture run', () => {
  it.skipIf(inject('postgresUrl') === null)(
    'finds no difference on PostgreSQL with two nodes',
    async () => {
      const seed = announcedSeed()
      expectNoDifference(
        await torture({ ...shortRun, engine: 'postgres', seed, durationMs, deadlineMs, say }),
      )
    },
    timeoutMs,
  )

  it(
    'finds no difference on SQLite with one node',
    async () => {
      const seed = announcedSeed()
      expectNoDifference(await torture({ ...shortRun, engine: 'sqlite', seed, durationMs, deadlineMs, say }))
    },
    timeoutMs,
  )

  it(
    'finds no difference on SQLite with one node of two workers',
    async () => {
      const options = { ...shortRun, engine: 'sqlite', workers: 2, durationMs, deadlineMs, say } as const
      expectNoDifference(await torture({ ...options, seed: announcedSeed() }))
    },
    timeoutMs,
  )

  it.skipIf(inject('postgresUrl') === null)(
    'survives two outages of PostgreSQL under load: no request fails, no charge is lost or doubled',
    async () => {
      expectNoDifference(await outage({ seed: announcedSeed(), outageMs: shortOutageMs, deadlineMs, say }))
    },
    timeoutMs,
  )
})
