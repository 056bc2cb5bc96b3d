import { count, list, object, text, type Json } from './json.ts'
import { emptyChoice, parsedArguments, type SaidAnswer, type SaidUsage } from './said-answer.ts'

/** Cohere's chat, version 2: a plain answer, or the events of a stream. */
export function cohereAnswer(bodies: readonly Json[]): SaidAnswer {
  const choice = emptyChoice()
  let usage: SaidUsage | undefined
  const calls: { id: string; name: string; arguments: string }[] = []
  for (const body of bodies) {
    const holder = body['delta'] === undefined ? body : object(body['delta'])
    const message = object(holder['message'])
    choice.reasoning += text(message['tool_plan'])
    for (const content of oneOrMany(message['content'])) {
      choice.text += text(content['text'])
      choice.reasoning += text(content['thinking'])
    }
    for (const call of oneOrMany(message['tool_calls'])) {
      const { name, arguments: given } = object(call['function'])
      if (call['id'] !== undefined) calls.push({ id: text(call['id']), name: text(name), arguments: '' })
      calls.at(-1)!.arguments += text(given)
    }
    const finish = text(holder['finish_reason'])
    if (finish !== '') choice.finish = finishReasons[finish] ?? 'stop'
    if (holder['usage'] !== undefined) usage = cohereUsage(object(holder['usage']))
  }
  choice.toolCalls = calls.map((call) => ({ ...call, arguments: parsedArguments(call.arguments) }))
  return { choices: [choice], usage }
}

/** One entry in a stream, or all in a plain answer. */
function oneOrMany(value: unknown): Json[] {
  if (Array.isArray(value)) return list(value)
  return value === undefined || value === null ? [] : [object(value)]
}

const finishReasons: Record<string, string> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
}

/** The billed tokens, none of which are cached. */
function cohereUsage(usage: Json): SaidUsage {
  const billed = object(usage['billed_units'])
  return {
    prompt: count(billed['input_tokens']),
    completion: count(billed['output_tokens']),
    cached: 0,
    cacheWritten: 0,
    written1h: 0,
    reasoning: count(object(usage['tokens'])['reasoning_tokens']),
  }
}
