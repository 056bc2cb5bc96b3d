import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { licencesOf } from './licences.ts'

const folder = join(import.meta.dirname, '..')

/**
 * Makes what the package holds: one file of our sources and all that they import, for every Node from 20
 * on, and
 * the licences of what is in it.
 * @returns the path of the program
 */
export async function bundleInto(target: string): Promise<string> {
  mkdirSync(target, { recursive: true })
  const program = join(target, 'turnpike.js')
  const { output } = await build({
    cwd: folder,
    input: 'main.ts',
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
    // Modules that are imported where they are needed stay in the file, and are evaluated only then.
    output: { file: program, format: 'esm', codeSplitting: false, minify: true },
  })
  chmodSync(program, 0o755)
  writeFileSync(join(target, 'licences.txt'), licencesOf(output[0].moduleIds))
  copyFileSync(join(folder, '../../LICENSE'), join(target, 'LICENSE'))
  return program
}
