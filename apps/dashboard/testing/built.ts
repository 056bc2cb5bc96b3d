import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** As `npm run dashboard` does: nothing where the build is that of the sources as they are. */
export async function buildDashboard(): Promise<void> {
  await promisify(execFile)(process.execPath, ['bin/run.js', 'dashboard'], { cwd: root })
}
