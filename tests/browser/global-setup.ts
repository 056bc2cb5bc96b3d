import type { TestProject } from 'vitest/node'
import { findOrInstall } from '../../packages/storage/testing/debian-package.ts'
import { chromiumOnPath } from './chromium-on-path.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Chromium, or what is built on it; null where its tests are skipped. */
    chromiumProgram: string | null
  }
}

/** Pages are tried in a browser, too; this finds out by which program. */
export default function setup(project: TestProject): void {
  const program = findOrInstall(chromiumOnPath, 'Chromium', 'chromium')
  if (program === undefined)
    process.stderr.write('Chromium was not found: the tests in a browser are skipped.\n')
  project.provide('chromiumProgram', program ?? null)
}
