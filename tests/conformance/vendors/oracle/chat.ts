import { count, list, object, text, type Json } from './json.ts'
import {
  emptyChoice,
  parsedArguments,
  type SaidAnswer,
  type SaidChoice,
  type SaidUsage,
} from './said-answer.ts'

/** OpenAI's chat completions and the APIs that resemble them: Azure, Mistral, DeepSeek and more. */
export function chatAnswer(bodies: readonly Json[]): SaidAnswer {
  const choices = new Map<number, OpenChoice>()
  let usage: SaidUsage | undefined
  for (const body of bodies) {
    for (const choice of list(body['choices'])) {
      const index = count(choice['index'])
      const open = choices.get(index) ?? { said: emptyChoice(), calls: new Map() }
      choices.set(index, open)
      say(open, choice)
    }
    if (typeof object(body['usage'])['prompt_tokens'] === 'number') usage = chatUsage(object(body['usage']))
  }
  const sorted = [...choices].toSorted(([one], [other]) => one - other).map(([, open]) => open)
  return { choices: sorted.map(closed), usage }
}

interface OpenChoice {
  said: SaidChoice
  calls: Map<number, OpenCall>
}

interface OpenCall {
  id: string
  name: string
  arguments: string
  free: boolean
}

function say({ said, calls }: OpenChoice, choice: Json): void {
  // Perplexity sends the whole message so far with each delta.
  const message = object(choice['delta'] ?? choice['message'])
  said.text += contentText(message['content'], 'text')
  said.reasoning += text(message['reasoning_content'] ?? message['reasoning'])
  said.reasoning += contentText(message['content'], 'thinking')
  said.refusal += text(message['refusal'])
  for (const [position, call] of list(message['tool_calls']).entries()) {
    const custom = object(call['custom'])
    const called = call['custom'] === undefined ? object(call['function']) : custom
    sayCall(calls, typeof call['index'] === 'number' ? call['index'] : position, {
      id: text(call['id']),
      name: text(called['name']),
      arguments: text(called['arguments'] ?? called['input']),
      free: call['custom'] !== undefined,
    })
  }
  if (message['function_call'] !== undefined && message['function_call'] !== null) {
    const { name, arguments: given } = object(message['function_call'])
    sayCall(calls, -1, { id: '', name: text(name), arguments: text(given), free: false })
  }
  const finish = text(choice['finish_reason'])
  if (finish !== '') said.finish = finishReasons[finish] ?? 'stop'
}

/** Ollama gives all of its calls the index 0: another identifier is another call. */
function sayCall(calls: Map<number, OpenCall>, index: number, more: OpenCall): void {
  const call = calls.get(index)
  if (call === undefined) calls.set(index, more)
  else if (more.name !== '' && more.id !== call.id) sayCall(calls, index + 1, more)
  else call.arguments += more.arguments
}

/** Mistral's content may be a list whose `thinking` parts contain a list themselves. */
function contentText(content: unknown, kind: 'text' | 'thinking'): string {
  if (typeof content === 'string') return kind === 'text' ? content : ''
  const parts = list(content).filter((part) => part['type'] === kind)
  return parts
    .map((part) => (kind === 'text' ? text(part['text']) : contentText(part['thinking'], 'text')))
    .join('')
}

function closed({ said, calls }: OpenChoice): SaidChoice {
  const sorted = [...calls].toSorted(([one], [other]) => one - other).map(([, call]) => call)
  said.toolCalls = sorted.map((call) => ({
    id: call.id === '' ? undefined : call.id,
    name: call.name,
    arguments: call.free ? call.arguments : parsedArguments(call.arguments),
  }))
  return said
}

const finishReasons: Record<string, string> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'function_call',
  content_filter: 'content_filter',
}

/** Cached tokens are part of the prompt; vendors report them in different fields. */
function chatUsage(usage: Json): SaidUsage {
  const prompt = count(usage['prompt_tokens'])
  const completion = count(usage['completion_tokens'])
  const reasoning = count(object(usage['completion_tokens_details'])['reasoning_tokens'])
  // xAI does not include reasoning in the completion, as its total shows.
  const beside = reasoning > 0 && usage['total_tokens'] === prompt + completion + reasoning
  return {
    prompt,
    completion: beside ? completion + reasoning : completion,
    // Azure's Grok reports more cached tokens than the prompt has; each can be charged only once.
    cached: Math.min(prompt, cachedTokens(usage)),
    cacheWritten: count(object(usage['prompt_tokens_details'])['cache_write_tokens']),
    written1h: 0,
    reasoning,
  }
}

function cachedTokens(usage: Json): number {
  const { cached_tokens: detailed } = object(usage['prompt_tokens_details'])
  return count(detailed ?? usage['cached_tokens'] ?? usage['prompt_cache_hit_tokens'])
}
