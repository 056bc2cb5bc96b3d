import type { ModelResponse, ResponseBlock } from '@turnpike/protocol'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { addAside } from '../../answers/asides.ts'
import { formatProof } from '../../answers/reasoning-proof.ts'
import { parseJson } from '../../json/parse-json.ts'
import { formatStopReason } from '../finish-reason.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { messageId } from './message-id.ts'
import { messageMembers } from './message-members.ts'
import { formatUsage, usageAtStart } from './usage.ts'

type Json = Record<string, unknown>

/** A whole answer in Anthropic's shape: https://platform.claude.com/docs/en/api/messages. */
export function formatResponse(response: ModelResponse, head: BridgeHead): FormattedAnswer {
  const [choice] = response.choices
  const blocks = choice?.blocks ?? []
  const { reason, rawReason } = choice?.finish ?? { reason: 'stop', rawReason: '' }
  const message = {
    ...asides(blocks),
    id: messageId(response.id, head),
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: blocks.flatMap((block) => formatBlock(block, head)),
    stop_reason: formatStopReason(reason, rawReason),
    stop_sequence: null,
  }
  return (usage, cost) => ({
    ...message,
    usage: usage === undefined ? usageAtStart : formatUsage(usage, cost),
  })
}

function formatBlock(block: ResponseBlock, head: BridgeHead): Json[] {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: block.text }]
    case 'reasoning':
      return formatReasoning(block, head.reasoningHidden === true)
    case 'tool-call': {
      const { id = '', name = '' } = block.toolCall ?? {}
      return [{ type: 'tool_use', id, name, input: inputOf(block.text) }]
    }
    case 'raw':
      return []
  }
}

function formatReasoning(block: ResponseBlock, isHidden: boolean): Json[] {
  const { text, reasoning, signature, encrypted } = block
  const proof = formatProof(
    reasoning,
    {
      ...(signature === undefined ? {} : { signature }),
      ...(encrypted === undefined ? {} : { encrypted }),
    },
    reasoningFormat,
  )
  const shown = isHidden ? '' : text
  if (shown === '' && proof === '') return []
  if (shown === '' && encrypted !== undefined) return [{ type: 'redacted_thinking', data: proof }]
  return [{ type: 'thinking', thinking: shown, signature: proof }]
}

/**
 * Arguments as a JSON object. Arguments that were cut are wrapped as Anthropic advises:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming.
 */
function inputOf(text: string): unknown {
  if (text.trim() === '') return {}
  const input = parseJson(text)
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { INVALID_JSON: text }
}

/** Content that the format has no block for, under the vendor's names. */
function asides(blocks: readonly ResponseBlock[]): Json {
  const members: Json = {}
  for (const { kind, name, values } of blocks)
    if (kind === 'raw') for (const value of values ?? []) addAside(members, messageMembers, name, value)
  return members
}
