import { object, text, type Json } from '../vendors/oracle/json.ts'
import { linesOf, runAgent, type AgentPackage, type AgentPlace } from './agent-program.ts'

export const claudeCode: AgentPackage = {
  folder: 'claude-code',
  packageName: '@anthropic-ai/claude-code',
  version: '2.1.330',
  program: 'cli-wrapper.cjs',
}

export interface ClaudeCodeOptions extends AgentPlace {
  /** The gateway's, without a path. */
  origin: string
  token: string
  model: string
  prompt: string
  /** Comma-separated names of the tools that it may use without permission. */
  allowedTools: string
  /** Continues the project's last session. */
  goesOn?: boolean
  /** A header of each request, as `name: value`. */
  header?: string
}

export interface ClaudeCodeRun {
  exitCode: number | null
  stderr: string
  /** Messages that it printed: `system`, `assistant`, `user` and `result`. */
  told: Json[]
}

/** Runs one task without a terminal (`-p`), in a home and a folder of its own. */
export async function runClaudeCode(program: string, options: ClaudeCodeOptions): Promise<ClaudeCodeRun> {
  const { origin, token, model, prompt, allowedTools, goesOn = false, header } = options
  const format = ['--output-format', 'stream-json', '--verbose', ...(goesOn ? ['--continue'] : [])]
  const run = await runAgent(
    program,
    ['-p', prompt, '--model', model, '--allowedTools', allowedTools, ...format],
    options,
    {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_AUTH_TOKEN: token,
      ...(header === undefined ? {} : { ANTHROPIC_CUSTOM_HEADERS: header }),
      // No traffic to other servers during a test.
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  )
  return { exitCode: run.exitCode, stderr: run.stderr, told: linesOf(run).map((line) => object(line)) }
}

/** The text that it ended with. */
export function resultOf({ told }: ClaudeCodeRun): { text: string; failed: boolean } {
  const last = told.findLast(({ type }) => type === 'result') ?? {}
  return { text: text(last['result']), failed: last['is_error'] !== false }
}
