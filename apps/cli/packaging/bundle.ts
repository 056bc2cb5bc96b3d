import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type CodeSplittingGroup, type Plugin } from 'rolldown'
import { licencesOf } from './licences.ts'

const folder = join(import.meta.dirname, '..')

/**
 * Makes what the package holds, for every Node from 20 on: the program with all that it imports, in files of
 * which a command reads only those that it needs, and the licences of what is in them.
 * @returns the path of the program
 */
export async function bundleInto(target: string): Promise<string> {
  mkdirSync(target, { recursive: true })
  const { output } = await build({
    cwd: folder,
    input: { turnpike: 'main.ts' },
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
    plugins: [withoutAbsent],
    output: {
      dir: target,
      // Node starts a program of CommonJS sooner than one of ES modules.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
      minify: true,
      codeSplitting: { groups: sharedFiles.map(groupOf) },
    },
  })
  const program = join(target, 'turnpike.cjs')
  chmodSync(program, 0o755)
  writeFileSync(
    join(target, 'licences.txt'),
    licencesOf(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))),
  )
  copyFileSync(join(folder, '../../LICENSE'), join(target, 'LICENSE'))
  return program
}

/**
 * What every command reads is one file, what those read that ask the gateway another, and a noun's commands
 * a third: each file more takes as long to find as thousands of lines take to read.
 */
const sharedFiles: [name: string, modules: RegExp][] = [
  ['core', /^(program|output|terminal)\/|^network\/(network|direct|http-answer)|^[a-z-]+\.ts$|\/commander\//],
  ['api', /^(api|sign-in|files)\/|^network\/(answer|retry)\.ts$|packages\/api\//],
  ['keys', /^commands\/keys\//],
]

function groupOf([name, modules]: [string, RegExp], index: number): CodeSplittingGroup {
  const test = (moduleId: string): boolean => modules.test(relative(folder, moduleId).replaceAll('\\', '/'))
  return { name, test, priority: sharedFiles.length - index }
}

/** What is imported and never used, by whom; it would be half of what is read. */
const absent: { what: RegExp; importer: RegExp; stub: string }[] = [
  // Starts other programs as commands.
  { what: /^node:child_process$/, importer: /commander/, stub: 'export {}' },
  // Checks what a client's user types into a form; we ask for none.
  {
    what: /^@modelcontextprotocol\/server\/_shims$/,
    importer: /modelcontextprotocol/,
    stub: "export class DefaultJsonSchemaValidator {}\nexport { default as process } from 'node:process'",
  },
]

const withoutAbsent: Plugin = {
  name: 'without-absent',
  resolveId: (id, importer = '') => {
    const index = absent.findIndex((one) => one.what.test(id) && one.importer.test(importer))
    return index === -1 ? null : `\0absent-${index}`
  },
  load: (id) => {
    const [, index] = /^\0absent-(\d+)$/.exec(id) ?? []
    return index === undefined ? null : absent[Number(index)]!.stub
  },
}
