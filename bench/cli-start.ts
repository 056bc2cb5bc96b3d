import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * `node bench/cli-start.ts [other Nodes]`: measures how long the packaged `turnpike` takes from start to end,
 * next to a Node that does nothing. They alternate, so that other load on the machine affects both alike. The
 * budget applies to the shortest of all rounds, because other load can only make it longer. To compare
 * versions of the program, use its CPU time as a multiple of Node's own.
 */

const rounds = 25
const budgetMs = 150

const cli = join(import.meta.dirname, '../apps/cli')
const program = join(cli, 'dist/turnpike.cjs')
const directory = mkdtempSync(join(tmpdir(), 'turnpike-cli-start-'))
const nodes = [process.execPath, ...process.argv.slice(2)]
const starts: Record<string, string[]> = {
  nothing: ['-e', '0'],
  'turnpike --version': [program, '--version'],
  'turnpike keys create --help': [program, 'keys', 'create', '--help'],
  'turnpike env': [program, 'env'],
  'turnpike models': [program, 'models'],
}

/** Reports the process's CPU time, counted from before its first line. */
const meter = join(directory, 'meter.cjs')
const meterText = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').writeSync(3, String((user + system) / 1000))
})`

/** A gateway that responds at once. It is a separate process, since this one blocks while it measures. */
const gatewayText = `
const models = '{"object":"list","data":[{"id":"sandbox/echo","pricing":{"prompt":"0.0000001"}}]}'
const server = require('node:http').createServer((_, response) => response.end(models))
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)))`

interface Times {
  wallMs: number
  cpuMs: number
}

/** Wall time from the start of the process to its end. */
function time(node: string, words: string[], env: Record<string, string>): Times {
  const startMs = performance.now()
  const { output, status } = spawnSync(node, ['--require', meter, ...words], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const wallMs = performance.now() - startMs
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`)
  return { wallMs, cpuMs: Number(output[3]) }
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function milliseconds(value: number): string {
  return `${value.toFixed(0).padStart(4)} ms`
}

function compare(node: string, env: Record<string, string>): void {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const times = new Map(Object.keys(starts).map((what): [string, Times[]] => [what, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [what, words] of Object.entries(starts)) times.get(what)!.push(time(node, words, env))
  }
  const leastCpuMs = (what: string): number => Math.min(...times.get(what)!.map(({ cpuMs }) => cpuMs))
  for (const [what, measured] of times) {
    const walls = measured.map(({ wallMs }) => wallMs)
    const isWithin = Math.min(...walls) <= budgetMs
    const figures = [
      `least ${milliseconds(Math.min(...walls))}`,
      `median ${milliseconds(medianOf(walls))}`,
      `processor ${milliseconds(leastCpuMs(what))}`,
      `${(leastCpuMs(what) / leastCpuMs('nothing')).toFixed(2)} × nothing`,
    ]
    const verdict = isWithin ? '' : `over ${budgetMs} ms`
    console.log([version, what.padEnd(28), ...figures, verdict].join('  ').trimEnd())
    if (!isWithin) process.exitCode = 1
  }
}

const gateway = spawn(process.execPath, ['-e', gatewayText], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  writeFileSync(meter, meterText)
  execFileSync(process.execPath, [join(cli, 'packaging/prepack.ts')])
  const [port] = (await once(gateway.stdout, 'data')) as [Buffer]
  const env = {
    TURNPIKE_CONFIG_DIR: directory,
    TURNPIKE_API_KEY: 'sk-turnpike-x',
    TURNPIKE_API_URL: `http://127.0.0.1:${port.toString()}`,
  }
  for (const node of nodes) compare(node, env)
} finally {
  gateway.kill()
  rmSync(directory, { recursive: true, force: true })
}
