import { parseArgs } from 'node:util'
import { print } from '../../apps/server/print.ts'
import type { Engine } from './fleet/fleet.ts'
import { outage } from './fleet/outage.ts'
import { differenceLines, summaryRows, type Report } from './report.ts'
import { torture } from './run.ts'
import { longOutageMs, longRun } from './settings.ts'

const usage =
  'npm run torture -- [--minutes 10] [--engine sqlite|postgres|both] [--workers N] [--seed N]\n' +
  'Minutes are of both engines together; with PostgreSQL, two outages of a minute come on top.\n' +
  '--workers: of the node with SQLite, which are killed and halted too; from 2 on.\n'

/** The exit code that a shell reports for a process ended by SIGINT. */
const interruptedCode = 130

interface Wanted {
  minutes: number
  engines: Engine[]
  seed: number
  /** Absent: the node with SQLite is one process. */
  workers: number | undefined
}

function readArguments(): Wanted | string {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      engine: { type: 'string', default: 'both' },
      workers: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  })
  const minutes = Number(values.minutes)
  const seed = Number(values.seed)
  const workers = values.workers === undefined ? undefined : Number(values.workers)
  const engines: Engine[] = values.engine === 'both' ? ['sqlite', 'postgres'] : [values.engine as Engine]
  if (!(minutes > 0)) return `--minutes ${values.minutes}: expected a number above 0`
  if (workers !== undefined && !(Number.isInteger(workers) && workers > 1))
    return `--workers ${values.workers}: expected a whole number from 2 on`
  if (!Number.isInteger(seed)) return `--seed ${values.seed}: expected a whole number`
  if (!engines.every((engine) => engine === 'sqlite' || engine === 'postgres'))
    return `--engine ${values.engine}: expected sqlite, postgres or both`
  return { minutes, engines, seed, workers }
}

async function main(): Promise<number> {
  const parsed = readArguments()
  if (typeof parsed === 'string') {
    print(`${parsed}\n${usage}`)
    return 2
  }
  const { minutes, engines, seed, workers } = parsed
  print(`seed ${seed}\n`)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const say = (line: string): void => print(`${line}\n`)
  const runs: (() => Promise<Report>)[] = engines.map((engine) => {
    const durationMs = (minutes * 60_000) / engines.length
    const ofSqlite = engine === 'sqlite' && workers !== undefined ? { workers } : {}
    const options = { ...longRun, ...ofSqlite, engine, seed, durationMs, say }
    return () => torture({ ...options, interrupted: interrupted.signal })
  })
  if (engines.includes('postgres'))
    runs.push(() => outage({ seed, outageMs: longOutageMs, say, interrupted: interrupted.signal }))
  let different = false
  for (const run of runs) {
    const report = await run().catch((error: unknown) => {
      if (!interrupted.signal.aborted) throw error
    })
    if (report === undefined || interrupted.signal.aborted) return interruptedCode
    for (const [name, value] of summaryRows(report)) say(`| ${name} | ${value} |`)
    for (const line of differenceLines(report)) say(line)
    different ||= report.differences.count > 0
  }
  return different ? 1 : 0
}

process.exitCode = await main()
