import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { runFeatures } from './run-features.ts'

const python = inject('pythonProgram')

/**
 * Declares a test for each of these functions of a folder's `features.py`; skipped if the machine has no
 * Python.
 * @param args of the script, known once the gateway runs
 * @param names under which the script reports; by default those of the functions
 */
export function testPythonFeatures(
  folder: string,
  features: readonly string[],
  args: () => readonly string[],
  names: readonly string[] = features,
): void {
  let wrong: Map<string, string | null>

  beforeAll(async () => {
    if (python === null) return
    wrong = await runFeatures(python, join(folder, 'features.py'), [...args(), ...features])
  }, 300_000)

  test.skipIf(python === null).each(names)('%s', (name) => {
    expect(wrong.get(name), wrong.get(name) ?? undefined).toBeNull()
  })
}
