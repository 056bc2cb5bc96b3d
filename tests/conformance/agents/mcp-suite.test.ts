import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAgent } from './agent-program.ts'
import { agentUnderTest } from './agent-under-test.ts'
import { officialSuite } from './mcp-suite.ts'
import { signedInAgent } from '../mcp/signed-in-agent.ts'
import { suiteNode } from '../../nodes/suite.ts'

/** Runs the official conformance tests that apply to a server with tools of its own. */

const program = agentUnderTest(officialSuite, 'the suite')

/** Checks that require tools, prompts and resources made for this suite. */
const notAsked = `server:
  - server-stateless:sep-2575-server-rejects-undeclared-capability
  - server-stateless:sep-2575-missing-capability-http-400
  - server-stateless:sep-2575-http-server-no-independent-requests-on-stream
  - server-stateless:sep-2575-server-no-log-without-loglevel
  - caching:sep-2549-prompts-list-caching-hints
  - caching:sep-2549-resources-list-caching-hints
  - caching:sep-2549-resources-templates-list-caching-hints
`

describe.runIf(program !== undefined)('the official conformance tests', () => {
  let proxy: Server
  let address: string
  const project = mkdtempSync(join(tmpdir(), 'turnpike-mcp-suite-'))

  afterAll(async () => {
    rmSync(project, { recursive: true, force: true })
  })
  const node = suiteNode({ server: { port: 0 } })
  beforeAll(async () => {
    const { token } = await signedInAgent(node)
    proxy = withToken(node.origin, token)
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
    writeFileSync(join(project, 'not-asked.yaml'), notAsked)
  })
  afterAll(async () => {
    proxy.closeAllConnections()
    proxy.close()
  })

  test.each([
    ['2025-11-25', 'server-initialize'],
    ['2025-11-25', 'ping'],
    ['2025-11-25', 'tools-list'],
    ['2025-11-25', 'dns-rebinding-protection'],
    ['2026-07-28', 'server-stateless'],
    ['2026-07-28', 'tools-list'],
    ['2026-07-28', 'caching'],
    ['2026-07-28', 'http-header-validation'],
    ['2026-07-28', 'server-sse-multiple-streams'],
    ['2026-07-28', 'dns-rebinding-protection'],
  ])('%s: %s', async (revision, scenario) => {
    const args = ['server', '--url', address, '--scenario', scenario, '--spec-version', revision]
    const known = ['--expected-failures', 'not-asked.yaml']
    const run = await runAgent(program!, [...args, ...known], { project, home: project }, {})
    expect(run.exitCode, run.stdout + run.stderr).toBe(0)
    expect(run.stdout).toMatch(/SUCCESS/)
  })
})

/** The suite cannot sign in, so a proxy adds the token. */
function withToken(origin: string, token: string): Server {
  const { host, hostname, port } = new URL(origin)
  return createServer((request, response) => {
    const own = request.headers.host ?? ''
    const isOwn = own.startsWith('127.0.0.1:')
    const headers = {
      ...request.headers,
      authorization: `Bearer ${token}`,
      ...(isOwn && { host }),
      ...(isOwn && request.headers.origin !== undefined && { origin }),
    }
    const options = { hostname, port, path: request.url, method: request.method, headers }
    const forwarded = ask(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
}
