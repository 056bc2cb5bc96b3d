import { count, list, object, text, type Json } from './json.ts'
import {
  emptyChoice,
  parsedArguments,
  type SaidAnswer,
  type SaidChoice,
  type SaidUsage,
} from './said-answer.ts'

/** OpenAI's Responses: the items of a plain answer, or the finished items in a stream's events. */
export function responsesAnswer(bodies: readonly Json[]): SaidAnswer {
  const done = bodies.filter(({ type }) => type === 'response.output_item.done')
  const last = bodies.at(-1)!
  const response = last['type'] === undefined ? last : object(last['response'])
  const items = done.length > 0 ? inOrder(done) : list(response['output'])
  const said = emptyChoice()
  for (const item of items) say(said, item)
  said.finish = finishOf(response, said)
  return { choices: [said], usage: usageOf(object(response['usage'])) }
}

function inOrder(done: readonly Json[]): Json[] {
  const sorted = done.toSorted((one, other) => count(one['output_index']) - count(other['output_index']))
  return sorted.map(({ item }) => object(item))
}

function say(said: SaidChoice, item: Json): void {
  switch (item['type']) {
    case 'message':
      for (const part of list(item['content'])) {
        said.text += text(part['text'])
        said.refusal += text(part['refusal'])
      }
      return
    case 'reasoning': {
      const content = list(item['content'])
      const thoughts = content.length > 0 ? content : list(item['summary'])
      said.reasoning += thoughts.map((part) => text(part['text'])).join('\n\n')
      const encrypted = text(item['encrypted_content'])
      if (encrypted !== '') said.proofs.push({ encrypted })
      return
    }
    case 'function_call':
      said.toolCalls.push({
        id: text(item['call_id']),
        name: text(item['name']),
        arguments: parsedArguments(text(item['arguments'])),
      })
      return
    case 'custom_tool_call':
      said.toolCalls.push({ id: text(item['call_id']), name: text(item['name']), arguments: item['input'] })
      return
    default:
  }
}

function finishOf({ status, incomplete_details: details }: Json, { toolCalls }: SaidChoice): string {
  if (status !== 'incomplete') return toolCalls.length > 0 ? 'tool_calls' : 'stop'
  return object(details)['reason'] === 'content_filter' ? 'content_filter' : 'length'
}

/** Undefined if no usage was reported. */
function usageOf(usage: Json): SaidUsage | undefined {
  const [prompt, completion] = [count(usage['input_tokens']), count(usage['output_tokens'])]
  if (prompt + completion === 0) return undefined
  const details = object(usage['input_tokens_details'])
  return {
    prompt,
    completion,
    cached: count(details['cached_tokens']),
    cacheWritten: count(details['cache_write_tokens']),
    written1h: 0,
    reasoning: count(object(usage['output_tokens_details'])['reasoning_tokens']),
  }
}
