import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findOrInstall } from '../../../packages/storage/testing/debian-package.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Chromium, or what is built on it; null where its tests are skipped. */
    chromiumProgram: string | null
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Pages are tried in a browser, too; this finds out by which program. */
export default function setup(project: TestProject): void {
  const program = findOrInstall(programOnPath, 'Chromium', 'chromium')
  if (program === undefined)
    process.stderr.write('Chromium was not found: the tests in a browser are skipped.\n')
  project.provide('chromiumProgram', program ?? null)
}

function programOnPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync)
}
