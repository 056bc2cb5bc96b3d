import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** Builds the dashboard like `npm run dashboard`; does nothing if the build matches the sources. */
export async function buildDashboard(): Promise<void> {
  await promisify(execFile)(process.execPath, ['bin/run.js', 'dashboard'], { cwd: root })
}
