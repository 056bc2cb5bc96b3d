import { list, object, text, type Json } from '../oracle/json.ts'
import { withoutAbsent, type Meaning } from './meaning.ts'

/** What a request to Anthropic's messages means: the same whatever shorthand it was written in. */
export function anthropicMeaning(body: Json): Meaning {
  const { model, max_tokens, temperature, top_p, stop_sequences, thinking, output_config, ...rest } = body
  const { system, messages, tools, tool_choice, stream: _stream, ...others } = rest
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
    output: output_config,
    others,
  })
}

/** Neighbours of one role are one turn to Anthropic. */
function turnsOf(messages: readonly Json[]): { role: unknown; content: Json[] }[] {
  const turns: { role: unknown; content: Json[] }[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) last?.content.push(...blocksOf(content))
    else turns.push({ role, content: blocksOf(content) })
  }
  return turns
}

/** A text is a list of one block; who called a tool is told by the vendor, and need not be sent back. */
function blocksOf(content: unknown): Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return list(content).map(({ caller: _caller, ...block }) => {
    if (block['type'] !== 'tool_result') return block
    return { ...block, content: blocksOf(block['content'] ?? ''), is_error: block['is_error'] ?? false }
  })
}

/** What the caller asks so that it means the recorded request: only what OpenAI has words for. */
export function asOpenai(recorded: Json): Json {
  return {
    messages: [
      ...(recorded['system'] === undefined ? [] : [{ role: 'system', content: recorded['system'] }]),
      ...list(recorded['messages']).flatMap(openaiMessages),
    ],
    max_completion_tokens: recorded['max_tokens'],
    ...(recorded['tools'] === undefined ? {} : { tools: list(recorded['tools']).map(openaiTool) }),
    ...(object(recorded['tool_choice'])['type'] === 'none' ? { tool_choice: 'none' } : {}),
  }
}

function openaiMessages({ role, content }: Json): Json[] {
  if (typeof content === 'string') return [{ role, content }]
  const blocks = list(content)
  const calls = blocks.filter((block) => block['type'] === 'tool_use')
  if (calls.length > 0) return [{ role, content: null, tool_calls: calls.map(openaiCall) }]
  const results = blocks.filter((block) => block['type'] === 'tool_result')
  const others = blocks.filter((block) => block['type'] !== 'tool_result')
  return [
    ...results.map((result) => ({
      role: 'tool',
      tool_call_id: result['tool_use_id'],
      content: result['content'],
    })),
    { role, content: others.map(openaiPart) },
  ]
}

function openaiCall({ id, name, input }: Json): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function openaiPart(block: Json): Json {
  if (block['type'] !== 'image') return block
  const source = object(block['source'])
  const url = `data:${text(source['media_type'])};base64,${text(source['data'])}`
  return { type: 'image_url', image_url: { url } }
}

function openaiTool({ name, description, input_schema: parameters }: Json): Json {
  return { type: 'function', function: { name, description, parameters } }
}
