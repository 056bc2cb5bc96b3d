import type { TestProject } from 'vitest/node'
import { findOrInstall } from '../../packages/storage/testing/debian-package.ts'
import { chromiumOnPath } from './chromium-on-path.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of Chromium, or of a browser that is built on it; null if there is none to test with. */
    chromiumProgram: string | null
  }
}

/** Finds the browser for the tests that open pages. */
export default function setup(project: TestProject): void {
  const program = findOrInstall(chromiumOnPath, 'Chromium', 'chromium')
  if (program === undefined)
    process.stderr.write('Chromium was not found: the tests in a browser are skipped.\n')
  project.provide('chromiumProgram', program ?? null)
}
