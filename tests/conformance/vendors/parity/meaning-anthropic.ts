import { list, object, type Json } from '../oracle/json.ts'
import { withoutAbsent, type Meaning } from './meaning.ts'

/** The meaning of a request to Anthropic's Messages, whatever shorthand it uses. */
export function anthropicMeaning(body: Json): Meaning {
  const { model, max_tokens, temperature, top_p, stop_sequences, thinking, output_config, ...rest } = body
  const { system, messages, tools, tool_choice, output_format, stream: _stream, ...others } = rest
  return withoutAbsent({
    model,
    system: system === undefined ? [] : blocksOf(system),
    turns: turnsOf(list(messages)),
    tools: list(tools),
    toolChoice: tool_choice ?? { type: 'auto' },
    maxTokens: max_tokens,
    temperature,
    topP: top_p,
    stop: stop_sequences ?? [],
    thinking: thinking ?? { type: 'disabled' },
    // The field's older name, from its beta.
    output: output_format === undefined ? output_config : { format: object(output_format) },
    others,
  })
}

/** Anthropic treats consecutive turns of one role as one. */
function turnsOf(messages: readonly Json[]): { role: unknown; content: Json[] }[] {
  const turns: { role: unknown; content: Json[] }[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) last?.content.push(...blocksOf(content))
    else turns.push({ role, content: blocksOf(content) })
  }
  return turns
}

/** A text is a list with one block. The caller of a tool, which the vendor reports, need not be sent back. */
function blocksOf(content: unknown): Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return list(content).map(({ caller: _caller, ...block }) => {
    if (block['type'] !== 'tool_result') return block
    return { ...block, content: blocksOf(block['content'] ?? ''), is_error: block['is_error'] ?? false }
  })
}
