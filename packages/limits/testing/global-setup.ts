import type { TestProject } from 'vitest/node'
import { findOrInstall } from '../../storage/testing/debian-package.ts'
import { findRedis } from './redis-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of Redis or Valkey; null if there is none, so that its tests are skipped. */
    redisProgram: string | null
  }
}

/** Tests over Redis start servers of their own; this finds the program for them. */
export default function setup(project: TestProject): void {
  const program = findOrInstall(findRedis, 'Redis', 'redis-server')
  if (program === undefined) {
    const message = 'Redis was not found: its tests are skipped, limits are tested in the process only.'
    if (process.env['CI'] === 'true') throw new Error(message)
    process.stderr.write(`${message}\n`)
  }
  project.provide('redisProgram', program ?? null)
}
