import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { datasetOf, type Dataset } from '../training/dataset.ts'
import { benchmarkOf, readRows } from '../training/rows.ts'
import { syntheticAsks } from '../training/synthetic-asks.ts'
import { latencyLines } from './latency.ts'
import { contests, figuresOf, type ContestFigures } from './pairs.ts'
import { progressOf, reportOf } from './report.ts'
import { crossValidate, scoreLeftOut, scoreRows } from './scored-rows.ts'

const usage = `npm run eval:routing -- --data <folder> [--folds 10] [--shipped] [--write docs/routing.md]

  --data     folder of *.jsonl.gz, as for training
  --folds    parts of the cross-validation; besides, each benchmark is left out once
  --shipped  trains nothing: the shipped weights score data that they were not trained on
  --write    puts the tables into this file, between its marks
`

const begun = performance.now()

function say(text: string): void {
  process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
}

function main(): number {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      folds: { type: 'string', default: '10' },
      shipped: { type: 'boolean', default: false },
      write: { type: 'string' },
    },
  })
  const folds = Number(values.folds)
  if (values.data === undefined || !Number.isInteger(folds) || folds < 2) {
    process.stderr.write(usage)
    return 2
  }
  const rows = readRows(resolve(values.data))
  say(`${rows.length} rows read`)
  const latency = latencyLines(rows)
  const report = values.shipped
    ? shippedReport(rows, latency)
    : validatedReport(datasetOf([...rows, ...syntheticAsks()]), folds, latency)
  process.stdout.write(`${report}\n`)
  if (values.write !== undefined) write(resolve(values.write), report)
  return 0
}

function shippedReport(rows: ReturnType<typeof readRows>, latency: readonly string[]): string {
  const weights = readFileSync(new URL('../../../packages/routing/scoring/weights.bin', import.meta.url))
  return reportOf(scoreRows(weights, rows), 'the shipped weights', [], latency)
}

function validatedReport(data: Dataset, folds: number, latency: readonly string[]): string {
  const scored = crossValidate(data, folds, say)
  return reportOf(scored, `cross-validated in ${folds} folds by question`, transferOf(data), latency)
}

/** One contest per benchmark. */
function transferOf(data: Dataset): ContestFigures[] {
  return contests.flatMap((contest) => {
    const one = data.rows.find(({ source }) => source === contest.source)
    if (one === undefined) return []
    const benchmark = contest.source === 'llmrouter-nim9' ? 'open-qa' : benchmarkOf(one)
    const figures = figuresOf(contest, scoreLeftOut(data, benchmark, say))
    if (figures === undefined) return []
    say(progressOf(figures))
    return [figures]
  })
}

const from = '<!-- figures: written by npm run eval:routing -->'
const to = '<!-- end of figures -->'

function write(path: string, report: string): void {
  const page = readFileSync(path, 'utf8')
  const start = page.indexOf(from)
  const end = page.indexOf(to)
  if (start === -1 || end < start) throw new Error(`${path} has no marks between which the tables go`)
  writeFileSync(path, `${page.slice(0, start + from.length)}\n\n${report}\n\n${page.slice(end)}`)
}

process.exitCode = main()
