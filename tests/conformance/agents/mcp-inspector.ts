import { object, type Json } from '../vendors/oracle/json.ts'
import { runAgent, type AgentPackage, type AgentPlace } from './agent-program.ts'

/** The protocol authors' inspector, whose command line needs no browser. */
export const mcpInspector: AgentPackage = {
  folder: 'mcp-inspector',
  packageName: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  program: 'clients/launcher/build/index.js',
}

export interface Inspection {
  exitCode: number | null
  /** The method's result. */
  result: Json
  /** Its code and message of a failure; empty if there was none. */
  failure: Json
  stderr: string
}

/** Calls one method without a terminal; ignores any text that it prints besides. */
export async function inspect(
  program: string,
  place: AgentPlace,
  address: string,
  token: string | undefined,
  args: readonly string[],
): Promise<Inspection> {
  const sent = token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]
  const way = ['--cli', address, '--transport', 'http', '--format', 'json', '--stored-auth-only']
  const { exitCode, stdout, stderr } = await runAgent(program, [...way, ...sent, ...args], place, {})
  const answered = stdout === '' ? {} : object(JSON.parse(stdout))
  const failed = stderr.split('\n').find((line) => line.startsWith('{"error"'))
  const failure = failed === undefined ? {} : object(object(JSON.parse(failed))['error'])
  return { exitCode, result: object(answered['result']), failure, stderr }
}
