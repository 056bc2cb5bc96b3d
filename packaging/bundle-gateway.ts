import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'
import { licencesOf } from '../apps/cli/packaging/licences.ts'
import { filesBeside } from './files-beside.ts'

const root = join(import.meta.dirname, '..')

/**
 * Makes what the package runs: the gateway as JavaScript, with all packages that it imports, in files of
 * which a start reads only those that it needs, and beside them the files that it reads: weights, models and
 * their prices, styles, the dashboard as it was built. Names stay as they are: a log can be understood.
 * @returns the licences of the packages whose code is in it
 */
export async function bundleGatewayInto(target: string): Promise<string> {
  return licencesOf(modulesOf(await bundle(target, [])))
}

/**
 * The same for a checkout itself, whose dashboard and compiled modules stay where they are.
 * @returns the paths of all files that it was made of
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
    transform: { target: 'node22' },
    logLevel: 'warn',
    // `depd`, which Koa stands on, makes functions by it.
    checks: { eval: false },
    plugins: [filesBeside(root, staying)],
    output: {
      dir: target,
      format: 'es',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      comments: { legal: false, annotation: false, jsdoc: false },
    },
  })
  writeFileSync(join(target, 'package.json'), '{"type":"module"}\n')
  return output
}

function modulesOf(output: RolldownOutput['output']): string[] {
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}
