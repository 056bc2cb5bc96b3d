import type { AgentPackage } from './agent-program.ts'

/** The protocol authors' conformance tests. */
export const officialSuite: AgentPackage = {
  folder: 'mcp-conformance',
  packageName: '@modelcontextprotocol/conformance',
  version: '0.2.0-alpha.12',
  program: 'dist/index.js',
}
