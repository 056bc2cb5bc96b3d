import type { TestProject } from 'vitest/node'
import { canInstallPackages, installPackage } from '../../storage/testing/debian-package.ts'
import { findRedis } from './redis-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program of a Redis or Valkey; null where there is none, and its tests are skipped. */
    redisProgram: string | null
  }
}

/** Tests over Redis start servers of their own; this finds out by which program. */
export default function setup(project: TestProject): void {
  const program = findRedis() ?? findAfterInstalling()
  if (program === undefined) {
    const message = 'Redis was not found: its tests are skipped, limits are tested in the process only.'
    if (process.env['CI'] === 'true') throw new Error(message)
    process.stderr.write(`${message}\n`)
  }
  project.provide('redisProgram', program ?? null)
}

function findAfterInstalling(): string | undefined {
  if (!canInstallPackages()) return undefined
  process.stderr.write('Installing Redis for the tests (apt-get install redis-server) …\n')
  try {
    installPackage('redis-server')
  } catch (error) {
    process.stderr.write(`Redis could not be installed: ${String(error)}\n`)
  }
  return findRedis()
}
