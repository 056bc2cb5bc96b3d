import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const requirements = join(import.meta.dirname, 'requirements.txt')
const environments = join(import.meta.dirname, '../../../.cache/python')
const installTimeoutMs = 240_000

/** A Python on this machine that can create virtual environments; undefined if there is none. */
export function findPython(): string | undefined {
  return ['python3', 'python'].find((program) => {
    const check = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'
    return spawnSync(program, ['-c', check], { stdio: 'ignore' }).status === 0
  })
}

/**
 * The Python of a virtual environment in the checkout's cache with the packages of `requirements.txt`;
 * created if it is missing or incomplete.
 * @throws if the packages cannot be installed
 */
export function bringEnvironment(python: string): string {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(environments, wanted)
  const program = join(folder, 'bin', 'python')
  // Written last, so that an interrupted installation has none.
  const mark = join(folder, 'complete')
  if (existsSync(mark)) return program
  process.stderr.write(`Installing the Python packages of the tests into ${folder} …\n`)
  rmSync(environments, { recursive: true, force: true })
  mkdirSync(environments, { recursive: true })
  run(python, ['-m', 'venv', folder])
  run(program, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements])
  run(program, ['-c', `open(${JSON.stringify(mark)}, 'w').close()`])
  return program
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: installTimeoutMs })
  if (error !== undefined) throw error
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr.slice(-500)}`)
}
