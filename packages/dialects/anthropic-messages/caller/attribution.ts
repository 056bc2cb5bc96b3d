import type { Attribution } from '../../caller.ts'

/**
 * What Claude Code tells of a request: https://code.claude.com/docs/en/llm-gateway-protocol. Who its
 * sub-agents are, and what kind of work it is, it tells with `CLAUDE_CODE_GATEWAY_HINT_HEADERS=1`. Not its
 * prompts and the parents of sub-agents: a tag for each would tell nothing more, and there would be too
 * many.
 */
export const attribution: readonly Attribution[] = [
  { header: 'x-claude-code-session-id', prefix: 'session:' },
  { header: 'x-claude-code-agent-id', prefix: 'agent:' },
  { header: 'x-claude-code-agent-type', prefix: 'agent-type:' },
  { header: 'x-claude-code-request-class', prefix: 'request-class:' },
]
