import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { object, text, type Json } from '../vendors/oracle/json.ts'
import { linesOf, runAgent, type AgentPackage, type AgentPlace } from './agent-program.ts'
import { exportedIn, guideBlock } from './guide-block.ts'

export const geminiCli: AgentPackage = {
  folder: 'gemini-cli',
  packageName: '@google/gemini-cli',
  version: '0.61.0',
  program: 'bundle/gemini.js',
}

export interface GeminiCliOptions extends AgentPlace {
  /** The gateway's, without a path. */
  origin: string
  token: string
  /** Absent: it selects one for each prompt. */
  model?: string
  prompt: string
  goesOn?: boolean
}

export interface GeminiCliRun {
  exitCode: number | null
  stderr: string
  /** Messages that it printed: `init`, `message`, `tool_use`, `tool_result` and `result`. */
  told: Json[]
}

/** Runs one task without a terminal (`-p`), with the guide's environment and settings. */
export async function runGeminiCli(program: string, options: GeminiCliOptions): Promise<GeminiCliRun> {
  const { origin, token, model, prompt, home, goesOn = false } = options
  const folder = join(home, '.gemini')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'settings.json'), guideBlock('**Gemini CLI**', 'json', origin))
  const variables = { TURNPIKE_URL: origin, TURNPIKE_API_KEY: token }
  const args = ['-p', prompt, '--yolo', '--skip-trust', '--output-format', 'stream-json']
  const run = await runAgent(
    program,
    [...args, ...(model === undefined ? [] : ['-m', model]), ...(goesOn ? ['--resume', 'latest'] : [])],
    options,
    exportedIn(guideBlock('**Gemini CLI**', 'sh', origin), variables),
  )
  return { exitCode: run.exitCode, stderr: run.stderr, told: linesOf(run).map((line) => object(line)) }
}

/** All text that it printed, and its status. */
export function endingOf({ told }: GeminiCliRun): { said: string; status: string } {
  const said = told.filter(({ type, role }) => type === 'message' && role === 'assistant')
  return {
    said: said.map(({ content }) => text(content)).join(''),
    status: text(told.findLast(({ type }) => type === 'result')?.['status']),
  }
}
