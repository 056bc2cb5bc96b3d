import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'
import { licencesOf } from '../apps/cli/packaging/licences.ts'
import { filesBeside } from './files-beside.ts'

/**
 * Node's globals that are accessors: a function is called each time that one is read. Imported, they are
 * constants for V8.
 */
const importedGlobals = {
  Buffer: ['node:buffer', 'Buffer'],
  performance: ['node:perf_hooks', 'performance'],
  process: ['node:process', 'default'],
} satisfies Record<string, [string, string]>

const root = join(import.meta.dirname, '..')

/**
 * Builds what the package runs: the gateway as JavaScript with all packages that it imports, split into files
 * so that a start reads only what it needs; and next to them the data files that it reads: weights, models
 * and prices, styles, the built dashboard. Names are not shortened, so that logs stay readable.
 * @returns the licences of the packages whose code is in it
 */
export async function bundleGatewayInto(target: string): Promise<string> {
  return licencesOf(modulesOf(await bundle(target, [])))
}

/**
 * The same for a checkout itself, which keeps its dashboard and compiled modules where they are.
 * @returns the paths of all files that went into it
 */
export async function bundleCheckoutInto(target: string): Promise<string[]> {
  const output = await bundle(target, ['apps/dashboard/dist', '.cache'])
  const read = output.flatMap((file) => (file.type === 'asset' ? file.originalFileNames : []))
  return [...modulesOf(output), ...read]
}

async function bundle(target: string, staying: readonly string[]): Promise<RolldownOutput['output']> {
  mkdirSync(target, { recursive: true })
  const { output } = await build({
    cwd: root,
    input: { 'turnpike-gateway': 'apps/server/main.js' },
    platform: 'node',
    transform: { target: 'node22', inject: importedGlobals },
    logLevel: 'warn',
    // `depd`, which Koa depends on, creates functions by `eval`.
    checks: { eval: false },
    plugins: [filesBeside(root, staying)],
    output: {
      dir: target,
      format: 'es',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      // One character beyond Latin-1 makes V8 keep a whole file with two bytes per character, 10 MB in all.
      charset: 'ascii',
      comments: { legal: false, annotation: false, jsdoc: false },
    },
  })
  writeFileSync(join(target, 'package.json'), '{"type":"module"}\n')
  return output
}

function modulesOf(output: RolldownOutput['output']): string[] {
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}
