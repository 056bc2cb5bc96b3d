import { list, object, text, type Json } from '../oracle/json.ts'

/**
 * The request in OpenAI's format that has the meaning of this request to Anthropic; undefined if OpenAI
 * cannot express it, for example tools that Anthropic runs itself.
 */
export function askedOfAnthropic(recorded: Json): Json | undefined {
  const { system, messages, tools, tool_choice, thinking, output_format, stop_sequences, ...rest } = recorded
  const { max_tokens, temperature, top_p, top_k, stream, model: _model, ...others } = rest
  if (Object.keys(others).length > 0) return undefined
  const translated = list(messages).map(openaiMessages)
  const declared = tools === undefined ? undefined : list(tools).map(openaiTool)
  if (translated.includes(undefined) || declared?.includes(undefined) === true) return undefined
  const choice = openaiChoice(tool_choice)
  return present({
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...translated.flat()],
    max_completion_tokens: max_tokens,
    temperature,
    top_p,
    top_k,
    stream,
    stop: stop_sequences,
    tools: declared,
    ...choice,
    reasoning: thinking === undefined ? undefined : { max_tokens: object(thinking)['budget_tokens'] },
    response_format: output_format === undefined ? undefined : openaiFormat(object(output_format)),
  })
}

function openaiMessages({ role, content }: Json): Json[] | undefined {
  if (role === 'system') return undefined
  if (typeof content === 'string') return [{ role, content }]
  return role === 'assistant' ? openaiAnswer(list(content)) : openaiQuestion(list(content))
}

/** Results of tools become separate messages. */
function openaiQuestion(blocks: readonly Json[]): Json[] | undefined {
  const messages: Json[] = []
  const parts: Json[] = []
  for (const block of blocks) {
    if (block['type'] === 'tool_result') {
      const blockContent = block['content'] ?? ''
      const content = typeof blockContent === 'string' ? blockContent : list(blockContent).map(openaiPart)
      const failed = block['is_error'] === undefined ? {} : { is_error: block['is_error'] }
      messages.push({ role: 'tool', tool_call_id: block['tool_use_id'], content, ...failed })
    } else {
      const part = openaiPart(block)
      if (part === undefined) return undefined
      parts.push(part)
    }
  }
  return parts.length === 0 ? messages : [...messages, { role: 'user', content: parts }]
}

function openaiAnswer(blocks: readonly Json[]): Json[] | undefined {
  const content: Json[] = []
  const calls: Json[] = []
  const details: Json[] = []
  for (const block of blocks) {
    switch (block['type']) {
      case 'text':
        content.push({ type: 'text', text: block['text'] })
        break
      case 'thinking':
        details.push({
          type: 'reasoning.text',
          text: block['thinking'],
          signature: block['signature'],
          format,
        })
        break
      case 'redacted_thinking':
        details.push({ type: 'reasoning.encrypted', data: block['data'], format })
        break
      case 'tool_use':
        calls.push(openaiCall(block))
        break
      default:
        return undefined
    }
  }
  const message = {
    role: 'assistant',
    content: content.length === 0 ? null : content,
    tool_calls: calls.length === 0 ? undefined : calls,
    reasoning_details: details.length === 0 ? undefined : details,
  }
  return [present(message)]
}

const format = 'anthropic-claude-v1'

function openaiCall({ id, name, input }: Json): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function openaiPart(block: Json): Json | undefined {
  const { type, source: given, cache_control, title } = block
  const source = object(given)
  const cache = cache_control === undefined ? {} : { cache_control }
  if (type === 'text') return { type, text: block['text'], ...cache }
  if (source['type'] !== 'base64') return undefined
  const url = `data:${text(source['media_type'])};base64,${text(source['data'])}`
  if (type === 'image') return { type: 'image_url', image_url: { url }, ...cache }
  if (type !== 'document') return undefined
  return { type: 'file', file: present({ file_data: url, filename: title }), ...cache }
}

function openaiTool({
  name,
  description,
  input_schema,
  strict,
  cache_control,
  ...others
}: Json): Json | undefined {
  const { type, ...unknown } = others
  if ((type !== undefined && type !== 'custom') || Object.keys(unknown).length > 0) return undefined
  const declared = present({ name, description, parameters: input_schema, strict })
  return present({ type: 'function', function: declared, cache_control })
}

function openaiChoice(given: unknown): Json {
  const { type, name, disable_parallel_tool_use: single } = object(given)
  const words: Json = { any: 'required', auto: 'auto', none: 'none' }
  const named = { type: 'function', function: { name } }
  return present({
    tool_choice: type === 'tool' ? named : words[text(type)],
    parallel_tool_calls: single === true ? false : undefined,
  })
}

function openaiFormat({ schema }: Json): Json {
  return { type: 'json_schema', json_schema: { name: 'answer', schema } }
}

function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
