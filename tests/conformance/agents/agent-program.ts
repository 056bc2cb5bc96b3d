import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A published agent, in the version that is tested. */
export interface AgentPackage {
  /** Its folder in the cache. */
  folder: string
  packageName: string
  version: string
  /** The script within the package that starts it. */
  program: string
}

const agents = join(import.meta.dirname, '../../../.cache/agents')

/** The script that starts it; undefined if `npm run agents` has not installed it. */
export function findAgent({ folder, packageName, version, program }: AgentPackage): string | undefined {
  const installed = join(agents, folder, 'node_modules', packageName)
  const script = join(installed, program)
  if (!existsSync(script)) return undefined
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string }
  return manifest.version === version ? script : undefined
}

/** Downloads 100 MB and more into the checkout's cache, without running install scripts. */
export function installAgent(agent: AgentPackage): void {
  if (findAgent(agent) !== undefined) return
  const { packageName, version } = agent
  const folder = join(agents, agent.folder)
  process.stdout.write(`installing ${packageName} ${version} into ${folder} …\n`)
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  const { status } = spawnSync('npm', ['install', ...options, `${packageName}@${version}`], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`npm install ended with ${status}`)
}

export interface AgentRun {
  exitCode: number | null
  stdout: string
  stderr: string
}

export interface AgentPlace {
  /** Working directory. */
  project: string
  home: string
}

/**
 * Runs the program to its end, without a terminal.
 * @param environment its whole environment, except home and path
 */
export async function runAgent(
  program: string,
  args: readonly string[],
  { project, home }: AgentPlace,
  environment: Record<string, string>,
): Promise<AgentRun> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: home, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { exitCode, stdout, stderr }
}

/** Parses an agent's output of JSON lines. */
export function linesOf({ stdout }: AgentRun): unknown[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as unknown)
}
