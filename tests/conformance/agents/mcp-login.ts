import { spawn } from 'node:child_process'
import { allow, newPersonAt } from '../../../apps/server/identity/testing/mcp-client.ts'
import { PageClient } from '../../../apps/server/identity/testing/page-client.ts'
import type { AgentPlace } from './agent-program.ts'

const longestMs = 90_000
/** In a terminal, the address is also printed as a link between escape sequences. */
// oxlint-disable-next-line no-control-regex
const signInAddress = /(http:\/\/127\.0\.0\.1:\d+\/oidc\/auth\?[^\s\x07\x1b]+)/

/**
 * Runs an agent that signs in to an MCP server, on a pseudo-terminal, and acts as the person at the browser:
 * signs up, allows these scopes, and follows the redirect.
 * @returns the agent's output
 */
export async function signIn(
  program: string,
  args: readonly string[],
  scopes: readonly string[],
  { project, home }: AgentPlace,
): Promise<string> {
  const line = [process.execPath, program, ...args].join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      BROWSER: 'true',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const late = setTimeout(() => child.kill(), longestMs)
  let output = ''
  let visit: Promise<void> | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const [, address] = signInAddress.exec(output) ?? []
    if (address !== undefined) visit ??= allowAt(new URL(address), scopes)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(late)
  await visit
  if (code !== 0) throw new Error(`it ended with ${String(code)}: ${output}`)
  return output
}

async function allowAt(address: URL, scopes: readonly string[]): Promise<void> {
  const pages = new PageClient()
  const back = await allow(pages, await newPersonAt(address, pages), scopes)
  const answer = await fetch(back.url)
  if (!answer.ok) throw new Error(`the way back ended with ${answer.status}`)
  await answer.text()
}
