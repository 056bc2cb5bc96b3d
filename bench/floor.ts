import { startLoadVendor } from './client/journal.ts'
import { cpuPerRequest } from './measures/requests.ts'
import { floorSteps, type FloorStep } from './peers/floor-row.ts'
import { median } from './report/statistics.ts'
import { alignColumns } from './report/table.ts'
import { bareProxy } from './subjects/bare.ts'
import { floorProxy } from './subjects/floor.ts'
import type { RunningSubject, Subject } from './subjects/subject.ts'
import { Turnpike } from './subjects/turnpike.ts'

/* What a budget leaves once the least is done that no gateway can leave out. */

const warmUpMs = 6_000
const rounds = 9
const roundMs = 2_500

/** The goal, and what holds until then (docs/contract.md, 16). */
const budgets = [1.3, 1.5]

const described: Record<FloorStep, string> = {
  json: '+ JSON of request and answer read, the answer written with its cost',
  key: '+ SHA-256 of the key and its place in a Map',
  log: '+ one row in an append-only log before the answer goes out',
  database: '+ that row, its ledger entry and sums in SQLite, on a thread',
}

/** Prints CPU a request of each step, by turns with the bare proxy and with all of ours. */
export async function measureFloor(): Promise<void> {
  const vendor = await startLoadVendor()
  const turnpike = new Turnpike({ vendorPort: vendor.port, keys: 1, creditUsd: '100000' })
  const subjects: Subject[] = [
    { ...bareProxy(vendor.port), description: 'bare node:http + undici' },
    ...floorSteps.map((step) => floorProxy(vendor.port, step, described[step])),
    { name: turnpike.name, description: 'this gateway, everything on', start: () => turnpike.start() },
  ]
  const running: RunningSubject[] = []
  try {
    for (const subject of subjects) {
      process.stderr.write(`${subject.description}: warm-up of ${warmUpMs / 1_000} s\n`)
      const started = await subject.start()
      running.push(started)
      await cpuPerRequest(started.target('plain'), started.use, warmUpMs)
    }
    const values = await measureRounds(running)
    console.log(tableOf(subjects, values))
  } finally {
    for (const started of running) await started.stop()
    await vendor.stop()
    turnpike.remove()
  }
}

/** Of each subject the microseconds of its rounds. */
async function measureRounds(running: readonly RunningSubject[]): Promise<number[][]> {
  const values: number[][] = running.map(() => [])
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`round ${round} of ${rounds}\n`)
    for (const [index, { target, use }] of running.entries())
      values[index]!.push(await cpuPerRequest(target('plain'), use, roundMs))
  }
  return values
}

function tableOf(subjects: readonly Subject[], values: readonly number[][]): string {
  const bare = values[0]!
  const rows = [['', 'CPU µs/request', 'added', '× bare']]
  let before = Number.NaN
  for (const [index, { description }] of subjects.entries()) {
    const own = values[index]!
    const microseconds = median(own)
    const added = index === 0 ? '' : (microseconds - before).toFixed(1)
    const ratio = median(own.map((value, round) => value / bare[round]!))
    rows.push([description, microseconds.toFixed(1), added, ratio.toFixed(2)])
    before = microseconds
  }
  for (const budget of budgets)
    rows.push([`budget of ${budget} × bare`, (median(bare) * budget).toFixed(1), '', budget.toFixed(2)])
  return alignColumns(rows)
}
