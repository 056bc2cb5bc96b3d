import type { TestProject } from 'vitest/node'
import { findOrInstall } from './debian-package.ts'
import { findPostgres } from './find-postgres.ts'
import { startCluster } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of this run's PostgreSQL; null: there is none, and its tests are skipped. */
    postgresUrl: string | null
  }
}

/** One PostgreSQL for the whole run. Every test file creates its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = findOrInstall(findPostgres, 'PostgreSQL', 'postgresql')
  if (directory === undefined) {
    const message = 'PostgreSQL 15 or newer was not found: its tests are skipped, only SQLite is tested.'
    if (process.env['CI'] === 'true') throw new Error(message)
    process.stderr.write(`${message}\n`)
    project.provide('postgresUrl', null)
    return () => Promise.resolve()
  }
  const cluster = await startCluster(directory)
  project.provide('postgresUrl', cluster.url)
  return () => cluster.remove()
}
