import type { TestProject } from 'vitest/node'
import { findOrInstall } from '../../../packages/storage/testing/debian-package.ts'
import { bringEnvironment, findPython } from './find-python.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Python with the packages of `requirements.txt`; null if its tests are skipped. */
    pythonProgram: string | null
  }
}

/** Finds the Python for the tests of Python clients. */
export default function setup(project: TestProject): void {
  const python = findOrInstall(findPython, 'Python', 'python3-venv')
  project.provide(
    'pythonProgram',
    python === undefined ? unavailable('Python 3.10 was not found') : brought(python),
  )
}

function brought(python: string): string | null {
  try {
    return bringEnvironment(python)
  } catch (error) {
    return unavailable(`the Python packages could not be installed (${String(error)})`)
  }
}

function unavailable(why: string): null {
  process.stderr.write(`Tests of Python's SDKs are skipped: ${why}.\n`)
  return null
}
