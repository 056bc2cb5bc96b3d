import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownMetrics, type KnownMetric } from './testing/known-metrics.ts'

const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'operate.md')

function row([name, { type, labels, help }]: [string, KnownMetric]): string {
  const own = [...labels].filter((label) => label !== 'le')
  return `| \`${name}\` | ${type} | ${own.map((label) => `\`${label}\``).join(', ')} | ${help} |`
}

test('docs/operate.md lists all of our metrics', async () => {
  const own = [...(await knownMetrics())].filter(([name]) => name.startsWith('turnpike_'))
  const rows = own.toSorted(([a], [b]) => a.localeCompare(b)).map(row)
  const documented = readFileSync(path, 'utf8').split('\n')
  expect(documented.filter((line) => line.startsWith('| `turnpike_'))).toEqual(rows)
})
