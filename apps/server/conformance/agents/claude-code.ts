import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { object, text, type Json } from '../vendors/oracle/json.ts'

const packageName = '@anthropic-ai/claude-code'
const version = '2.1.330'
const folder = join(import.meta.dirname, '../../../../.cache/agents/claude-code')
const installed = join(folder, 'node_modules', packageName)

/** Claude Code as npm has it; undefined where `npm run agents` has not brought it here. */
export function findClaudeCode(): string | undefined {
  const program = join(installed, 'cli-wrapper.cjs')
  const manifest = join(installed, 'package.json')
  if (!existsSync(program)) return undefined
  const { version: found } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return found === version ? program : undefined
}

/** Downloads it, 110 MB, into the checkout's cache; none of its install scripts run. */
export function installClaudeCode(): void {
  if (findClaudeCode() !== undefined) return
  process.stdout.write(`installing ${packageName} ${version} into ${folder} …\n`)
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  const { status } = spawnSync('npm', ['install', ...options, `${packageName}@${version}`], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`npm install ended with ${status}`)
}

export interface ClaudeCodeOptions {
  /** The gateway's, without a path. */
  origin: string
  token: string
  model: string
  prompt: string
  /** Comma-separated names of the tools that it may use unasked. */
  allowedTools: string
  home: string
  project: string
}

export interface ClaudeCodeRun {
  exitCode: number | null
  stderr: string
  /** What it told of the session: `system`, `assistant`, `user` and `result` messages. */
  told: Json[]
}

/** One task without a terminal (`-p`), in a home and a folder of its own. */
export async function runClaudeCode(program: string, options: ClaudeCodeOptions): Promise<ClaudeCodeRun> {
  const { origin, token, model, prompt, allowedTools, home, project } = options
  const format = ['--output-format', 'stream-json', '--verbose']
  const child = spawn(
    process.execPath,
    [program, '-p', prompt, '--model', model, '--allowedTools', allowedTools, ...format],
    {
      cwd: project,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: token,
        // A test speaks to nobody else.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return { exitCode, stderr, told: lines.map((line) => object(JSON.parse(line))) }
}

/** The text with which it ended. */
export function resultOf({ told }: ClaudeCodeRun): { text: string; failed: boolean } {
  const last = told.findLast(({ type }) => type === 'result') ?? {}
  return { text: text(last['result']), failed: last['is_error'] !== false }
}
