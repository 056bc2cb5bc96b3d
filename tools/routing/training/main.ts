import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { decodeWeights } from '@turnpike/routing/scoring/weights'
import { datasetOf } from './dataset.ts'
import { readRows } from './rows.ts'
import { syntheticAsks } from './synthetic-asks.ts'
import { train } from './train.ts'

const usage = `npm run train -- --data <folder> [--out <file>]

  --data   folder of *.jsonl.gz with a prompt and how models did on it a line (docs/routing.md)
  --out    where to write the weights; those that are shipped where not said
`

const shipped = new URL('../../../packages/routing/scoring/weights.bin', import.meta.url)

function main(): number {
  const { values } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } })
  if (values.data === undefined) {
    process.stderr.write(usage)
    return 2
  }
  const begun = performance.now()
  const say = (text: string): void => {
    process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(1)} s  ${text}\n`)
  }
  const rows = [...readRows(resolve(values.data)), ...syntheticAsks()]
  say(`${rows.length} rows read`)
  const data = datasetOf(rows)
  say(`${data.hashes.length} n-grams of three prompts or more`)
  const bytes = train(data, () => true)
  const { header } = decodeWeights(bytes)
  writeFileSync(values.out === undefined ? shipped : resolve(values.out), bytes)
  say(`${bytes.length} bytes of weights, from ${header.rows} rows`)
  process.stdout.write(`version ${header.version}, run ${header.trainingRun}, content ${header.content}\n`)
  return 0
}

process.exitCode = main()
