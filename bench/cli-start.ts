import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * `node bench/cli-start.ts [other Nodes]`: how long `turnpike` takes to start, as it is shipped, beside a
 * Node that does nothing; by turns, so that what else the machine does befalls all alike. The least of all
 * rounds is held to the budget: whatever else runs can only add to it.
 */

const rounds = 25
const budgetMs = 150

const cli = join(import.meta.dirname, '../apps/cli')
const program = join(cli, 'dist/turnpike.js')
const directory = mkdtempSync(join(tmpdir(), 'turnpike-cli-start-'))
const env = { TURNPIKE_CONFIG_DIR: directory, TURNPIKE_API_KEY: 'sk-turnpike-x' }
const nodes = [process.execPath, ...process.argv.slice(2)]
const starts: Record<string, string[]> = {
  nothing: ['-e', '0'],
  'turnpike --version': [program, '--version'],
  'turnpike keys create --help': [program, 'keys', 'create', '--help'],
  'turnpike env': [program, 'env'],
}

/** Milliseconds from the start of the process to its end. */
function time(node: string, words: string[]): number {
  const startMs = performance.now()
  execFileSync(node, words, { env, stdio: 'ignore' })
  return performance.now() - startMs
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function milliseconds(value: number): string {
  return `${value.toFixed(0).padStart(4)} ms`
}

try {
  execFileSync(process.execPath, [join(cli, 'packaging/prepack.ts')])
  for (const node of nodes) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const times = new Map(Object.keys(starts).map((what): [string, number[]] => [what, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [what, words] of Object.entries(starts)) times.get(what)!.push(time(node, words))
    }
    for (const [what, values] of times) {
      const least = Math.min(...values)
      const isWithin = least <= budgetMs
      const figures = [`least ${milliseconds(least)}`, `median ${milliseconds(medianOf(values))}`]
      console.log(
        [version, what.padEnd(28), ...figures, isWithin ? '' : `over ${budgetMs} ms`].join('  ').trimEnd(),
      )
      if (!isWithin) process.exitCode = 1
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
