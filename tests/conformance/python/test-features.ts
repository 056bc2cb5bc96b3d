import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { runFeatures } from './run-features.ts'

const python = inject('pythonProgram')

/**
 * Declares a test for each of these functions of a folder's `features.py`; skipped if the machine has no
 * Python.
 * @param args of the script, known once the gateway runs
 */
export function testPythonFeatures(
  folder: string,
  features: readonly string[],
  args: () => readonly string[],
): void {
  let wrong: Map<string, string | null>

  beforeAll(async () => {
    if (python === null) return
    wrong = await runFeatures(python, join(folder, 'features.py'), [...args(), ...features])
  })

  test.skipIf(python === null).each(features)('%s', (feature) => {
    expect(wrong.get(feature), wrong.get(feature) ?? undefined).toBeNull()
  })
}
