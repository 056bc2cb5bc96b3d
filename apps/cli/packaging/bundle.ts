import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type CodeSplittingGroup, type Plugin } from 'rolldown'
import { licencesOf } from './licences.ts'

const folder = join(import.meta.dirname, '..')

/**
 * Builds the package's contents, for every Node from 20 on: the program with all that it imports, in files of
 * which each command loads only what it needs, and their licences.
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
      // Node starts a CommonJS program faster than ES modules.
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
 * The code of every command is one file, that of commands that call the gateway another, and each noun's
 * commands a third: finding one more file takes as long as reading thousands of lines.
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

/** Imports that are never used, and their importers; they would be half of the code to load. */
const absent: { what: RegExp; importer: RegExp; stub: string }[] = [
  // Starts other programs as commands.
  { what: /^node:child_process$/, importer: /commander/, stub: 'export {}' },
  // Validates forms in an MCP client, which we do not use.
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
