import type { FormatName } from '@turnpike/dialects'
import { claudeVersion } from './claude.ts'

/**
 * Anthropic's betas that other platforms with its models support. A platform rejects a request with an
 * unknown one ("invalid beta flag"), and clients send all that Anthropic has.
 */

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
const atBedrock: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
])

/** From this version on, its models reject all of them there (anthropics/claude-code#49648). */
const withoutBetas = 4.7

/** What other clients send there; its error names each beta that it does not know (BerriAI/litellm#19984). */
const atVertex: ReadonlySet<string> = new Set([
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'interleaved-thinking-2025-05-14',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
])

/** Whether the model's platform would reject a request with this beta. */
export function refusesBeta(format: FormatName, model: string, beta: string): boolean {
  switch (format) {
    case 'bedrock-messages':
      return !atBedrock.has(beta) || claudeVersion(model) >= withoutBetas
    case 'vertex-messages':
      return !atVertex.has(beta)
    default:
      return false
  }
}
