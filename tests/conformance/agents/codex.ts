import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { object, text, type Json } from '../vendors/oracle/json.ts'
import { linesOf, runAgent, type AgentPackage, type AgentPlace } from './agent-program.ts'
import { guideBlock } from './guide-block.ts'

/** A script that starts the binary of this machine, which is a package of its own. */
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
  /** Goes on with the last session of the project. */
  goesOn?: boolean
  /** As in `model_providers.turnpike.stream_max_retries=0`. */
  settings?: readonly string[]
}

export interface CodexRun {
  exitCode: number | null
  stderr: string
  /** What it told of the session: `thread.started`, `item.completed`, `turn.completed`, … */
  told: Json[]
}

/** One task without a terminal (`codex exec`), with the configuration that the guide shows. */
export async function runCodex(program: string, options: CodexOptions): Promise<CodexRun> {
  const { origin, token, model, prompt, home, goesOn = false, settings = [] } = options
  const folder = join(home, '.codex')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), guideBlock('**Codex**', 'toml', origin))
  const session = goesOn ? ['resume', '--last'] : []
  // A new folder is no repository, and the machine of a test no place for its sandbox.
  const way = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
  const overrides = settings.flatMap((setting) => ['-c', setting])
  const args = ['exec', ...session, ...way, '--model', model, ...overrides, prompt]
  const run = await runAgent(program, args, options, { TURNPIKE_API_KEY: token })
  return { exitCode: run.exitCode, stderr: run.stderr, told: linesOf(run).map((line) => object(line)) }
}

/** What it told of its work, each by its type: `agent_message`, `command_execution`, `file_change`, … */
export function itemsOf({ told }: CodexRun): Json[] {
  return told.filter(({ type }) => type === 'item.completed').map(({ item }) => object(item))
}

/** The text with which it ended. */
export function lastMessage(run: CodexRun): string {
  return text(itemsOf(run).findLast(({ type }) => type === 'agent_message')?.['text'])
}
