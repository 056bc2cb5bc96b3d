import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { compare, furtherSubjects, peerNames, subjectNames, type Comparison } from './compare.ts'
import { measureDashboard } from './dashboard.ts'
import { manyStreams } from './many-streams.ts'
import { peersPlan, quickPeersPlan, quickPlan, wholePlan } from './plan.ts'
import { budgetsOf, type BudgetResult } from './report/budgets.ts'
import { mediansOf, type Medians } from './report/figures.ts'
import { machineFacts } from './report/machine.ts'
import { budgetTable, resultTable } from './report/table.ts'
import { measureScoring } from './scoring.ts'
import { measureSizing } from './sizing.ts'
import { soakOptions } from './soak/options.ts'
import { soak } from './soak/soak.ts'
import { measureUsage } from './usage.ts'

// This process is the load server. V8 would reduce its memory between two rounds, in a pause of 20 ms, and
// then compile its code again while a subject is measured.
setFlagsFromString('--memory-reducer-delay-ms=3600000')

const usage = `npm run bench -- [--quick] [--only bare,turnpike,…]
npm run bench -- peers [--quick]
npm run bench -- soak [--minutes 5] [--rate 300] [--faults [--shares 429=2,hang=1] [--seed 1]]
npm run bench -- usage
npm run bench -- dashboard
npm run bench -- sizing
npm run bench -- scoring
npm run bench -- streams [--streams 5000]

  --quick     shorter and fewer rounds; the results go to bench/results/quick.local.json
  --rate      plain requests a second of the soak; half: of what one process is measured to serve here
  --faults    vendors fail now and then; --shares says how often per mille, by fault
  --only      some of ${[...subjectNames, ...furtherSubjects].join(', ')}
`

const runs = ['peers', 'soak', 'usage', 'dashboard', 'sizing', 'scoring', 'streams']

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: subjectNames.join(',') },
      minutes: { type: 'string', default: '5' },
      rate: { type: 'string', default: '300' },
      faults: { type: 'boolean', default: false },
      shares: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      streams: { type: 'string', default: '5000' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [run] = positionals
  if (values.help || positionals.length > 1 || (run !== undefined && !runs.includes(run))) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  if (run === 'soak') return (await soak(soakOptions(values))) ? 0 : 1
  if (run === 'streams') return (await manyStreams(Number(values.streams))) ? 0 : 1
  if (run === 'usage') return (await measureUsage()) ? 0 : 1
  if (run === 'dashboard') return (await measureDashboard()) ? 0 : 1
  if (run === 'sizing') return (await measureSizing()) ? 0 : 1
  if (run === 'scoring') return measureScoring() ? 0 : 1
  if (run === 'peers') {
    const comparison = await compare(values.quick ? quickPeersPlan : peersPlan, new Set(peerNames))
    report(comparison, values.quick ? 'quick.local.json' : 'peers.json')
    return 0
  }
  const only = new Set(values.only.split(','))
  const comparison = await compare(values.quick ? quickPlan : wholePlan, only)
  const isWhole = !values.quick && subjectNames.every((name) => only.has(name))
  report(comparison, isWhole ? 'latest.json' : 'quick.local.json')
  return 0
}

/** Prints the table, and writes it as JSON with the values of each round. */
function report({ rounds, descriptions }: Comparison, file: string): void {
  const medians = new Map<string, Medians>([...rounds].map(([name, values]) => [name, mediansOf(values)]))
  const budgets: BudgetResult[] = budgetsOf(rounds, medians)
  for (const [name, description] of descriptions) console.log(`${name.padEnd(9)} ${description}`)
  console.log(`\n${resultTable(rounds, medians)}\n\n${budgetTable(budgets)}`)
  const results = {
    measuredAt: new Date().toISOString(),
    machine: machineFacts(),
    descriptions: Object.fromEntries(descriptions),
    medians: Object.fromEntries(medians),
    budgets,
    rounds: Object.fromEntries(rounds),
  }
  mkdirSync(new URL('results/', import.meta.url), { recursive: true })
  writeFileSync(new URL(`results/${file}`, import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof RangeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
