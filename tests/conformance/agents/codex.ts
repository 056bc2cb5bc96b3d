import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { object, text, type Json } from '../vendors/oracle/json.ts'
import { linesOf, runAgent, type AgentPackage, type AgentPlace } from './agent-program.ts'
import { guideBlock } from './guide-block.ts'

/** A script that starts this machine's binary, which is in a separate package. */
export const codex: AgentPackage = {
  folder: 'codex',
  packageName: '@openai/codex',
  version: '0.169.0',
  program: 'bin/codex.js',
}

export interface CodexOptions extends AgentPlace {
  /** The gateway's, without a path. */
  origin: string
  token: string
  model: string
  prompt: string
  /** Continues the project's last session. */
  goesOn?: boolean
  /** For example `model_providers.turnpike.stream_max_retries=0`. */
  settings?: readonly string[]
}

export interface CodexRun {
  exitCode: number | null
  stderr: string
  /** Events that it printed: `thread.started`, `item.completed`, `turn.completed`, … */
  told: Json[]
}

/** Runs one task without a terminal (`codex exec`), with the guide's configuration. */
export async function runCodex(program: string, options: CodexOptions): Promise<CodexRun> {
  const { origin, token, model, prompt, home, goesOn = false, settings = [] } = options
  const folder = join(home, '.codex')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), guideBlock('**Codex**', 'toml', origin))
  const session = goesOn ? ['resume', '--last'] : []
  // A new folder is not a repository, and its sandbox may not work on a test machine.
  const way = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
  const overrides = settings.flatMap((setting) => ['-c', setting])
  const args = ['exec', ...session, ...way, '--model', model, ...overrides, prompt]
  const run = await runAgent(program, args, options, { TURNPIKE_API_KEY: token })
  return { exitCode: run.exitCode, stderr: run.stderr, told: linesOf(run).map((line) => object(line)) }
}

/** The items of its work, each with its type: `agent_message`, `command_execution`, `file_change`, … */
export function itemsOf({ told }: CodexRun): Json[] {
  return told.filter(({ type }) => type === 'item.completed').map(({ item }) => object(item))
}

/** The text that it ended with. */
export function lastMessage(run: CodexRun): string {
  return text(itemsOf(run).findLast(({ type }) => type === 'agent_message')?.['text'])
}
