import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'rolldown'
import { licencesOf } from './licences.ts'

const folder = join(import.meta.dirname, '..')

/**
 * Makes what the package holds, for every Node from 20 on: the program with all that it imports, beside it
 * the HTTP
 * client for proxies, which is four times as large and seldom needed, and the licences of what is in them.
 * @returns the path of the program
 */
export async function bundleInto(target: string): Promise<string> {
  mkdirSync(target, { recursive: true })
  const program = join(target, 'turnpike.js')
  const modules = [
    ...(await bundle('main.ts', program, [proxyBeside, withoutExecutables])),
    ...(await bundle('network/proxy.ts', join(target, 'proxy.js'), [])),
  ]
  chmodSync(program, 0o755)
  writeFileSync(join(target, 'licences.txt'), licencesOf(modules))
  copyFileSync(join(folder, '../../LICENSE'), join(target, 'LICENSE'))
  return program
}

/** @returns the modules that are in the file */
async function bundle(input: string, file: string, plugins: Plugin[]): Promise<string[]> {
  const { output } = await build({
    cwd: folder,
    input,
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
    plugins,
    // Modules that are imported where they are needed stay in the file, and are evaluated only then.
    output: { file, format: 'esm', codeSplitting: false, minify: true },
  })
  return output[0].moduleIds
}

/** A file is parsed before it runs: what is seldom needed would cost every start. */
const proxyBeside: Plugin = {
  name: 'proxy-beside',
  resolveId: (id) => (id === './proxy.ts' ? { id: './proxy.js', external: true } : null),
}

/** `commander` can start other programs as commands, for which it loads what takes a tenth of our start. */
const withoutExecutables: Plugin = {
  name: 'without-executables',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('commander') ? '\0no-executables' : null,
  load: (id) => (id === '\0no-executables' ? 'export {}' : null),
}
