import type { Attribution } from '../../caller.ts'

/**
 * What Claude Code says about a request: https://code.claude.com/docs/en/llm-gateway-protocol. It sends its
 * sub-agents and the kind of work with `CLAUDE_CODE_GATEWAY_HINT_HEADERS=1`. Prompts and parents of
 * sub-agents are left out: there would be too many such tags, without further information.
 */
export const attribution: readonly Attribution[] = [
  { header: 'x-claude-code-session-id', prefix: 'session:' },
  { header: 'x-claude-code-agent-id', prefix: 'agent:' },
  { header: 'x-claude-code-agent-type', prefix: 'agent-type:' },
  { header: 'x-claude-code-request-class', prefix: 'request-class:' },
]
