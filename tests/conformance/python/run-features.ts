import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const mostOutputBytes = 16 * 2 ** 20

/**
 * Runs a script that reports on features (`feature_run.py`).
 * @returns the failure of each feature by name; null if it worked
 */
export async function runFeatures(
  python: string,
  script: string,
  args: readonly string[],
): Promise<Map<string, string | null>> {
  const { stdout } = await run(python, [script, ...args], {
    env: { PATH: process.env['PATH'], PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: mostOutputBytes,
  })
  const reports = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { name: string; wrong: string | null })
  return new Map(reports.map(({ name, wrong }) => [name, wrong]))
}
