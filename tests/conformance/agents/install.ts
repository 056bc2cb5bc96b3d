import { officialSuite } from './mcp-suite.ts'
import { installAgent } from './agent-program.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { mcpInspector } from './mcp-inspector.ts'

for (const agent of [claudeCode, codex, geminiCli, officialSuite, mcpInspector]) installAgent(agent)
