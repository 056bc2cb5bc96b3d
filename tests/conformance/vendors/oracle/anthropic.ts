import { count, list, object, text, type Json } from './json.ts'
import {
  emptyChoice,
  parsedArguments,
  type SaidAnswer,
  type SaidChoice,
  type SaidUsage,
} from './said-answer.ts'

/** A plain answer of Anthropic's Messages: https://docs.claude.com/en/api/messages. */
export function anthropicMessage(body: Json): SaidAnswer {
  const said = emptyChoice()
  for (const block of list(body['content'])) sayBlock(said, block, JSON.stringify(block['input']))
  said.finish = finishOf(body)
  return { choices: [said], usage: usageOf([object(body['usage'])]) }
}

/** A stream of Anthropic's Messages: https://docs.claude.com/en/docs/build-with-claude/streaming. */
export function anthropicStream(events: readonly Json[]): SaidAnswer {
  const said = emptyChoice()
  const blocks = new Map<unknown, { block: Json; input: string }>()
  const usages: Json[] = []
  for (const event of events) {
    switch (event['type']) {
      case 'message_start':
        usages.push(object(object(event['message'])['usage']))
        break
      case 'content_block_start':
        blocks.set(event['index'], { block: { ...object(event['content_block']) }, input: '' })
        break
      case 'content_block_delta':
        grow(blocks.get(event['index'])!, object(event['delta']))
        break
      case 'message_delta':
        usages.push(object(event['usage']))
        said.finish = finishOf(object(event['delta'])) ?? said.finish
        break
    }
  }
  for (const { block, input } of blocks.values())
    sayBlock(said, block, input === '' ? JSON.stringify(block['input']) : input)
  return { choices: [said], usage: usageOf(usages) }
}

/**
 * The events of the stream's own message: some recordings also contain the next one, after its end. Spliced:
 * another message began within it, which callers can only get as an error.
 */
export function firstMessage(events: readonly Json[]): { events: readonly Json[]; spliced: boolean } {
  const end = events.findIndex(({ type }) => type === 'message_stop')
  const own = end === -1 ? events : events.slice(0, end + 1)
  const next = own.findIndex(({ type }, at) => type === 'message_start' && at > 0)
  return next === -1 ? { events: own, spliced: false } : { events: own.slice(0, next), spliced: true }
}

function grow(open: { block: Json; input: string }, delta: Json): void {
  for (const field of ['text', 'thinking', 'signature'])
    if (delta[field] !== undefined) open.block[field] = text(open.block[field]) + text(delta[field])
  open.input += text(delta['partial_json'])
}

/** Tools that the vendor runs itself are no calls for the caller. */
function sayBlock(said: SaidChoice, block: Json, input: string): void {
  switch (block['type']) {
    case 'text':
      said.text += text(block['text'])
      break
    case 'thinking':
      said.reasoning += text(block['thinking'])
      if (text(block['signature']) !== '')
        said.proofs.push({ signature: text(block['signature']), text: text(block['thinking']) })
      break
    case 'redacted_thinking':
      said.proofs.push({ encrypted: text(block['data']) })
      break
    case 'tool_use':
      said.toolCalls.push({
        id: text(block['id']),
        name: text(block['name']),
        arguments: parsedArguments(input),
      })
      break
  }
}

const finishReasons: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

function finishOf(holder: Json): string | undefined {
  const reason = text(holder['stop_reason'])
  return reason === '' ? undefined : (finishReasons[reason] ?? 'stop')
}

/** Counts are cumulative: the last value of each field is valid. The input excludes cached tokens. */
function usageOf(usages: readonly Json[]): SaidUsage | undefined {
  const last: Json = {}
  for (const usage of usages)
    for (const [field, value] of Object.entries(usage))
      if (value !== null && value !== undefined) last[field] = value
  if (typeof last['input_tokens'] !== 'number') return undefined
  const cached = count(last['cache_read_input_tokens'])
  const cacheWritten = count(last['cache_creation_input_tokens'])
  return {
    prompt: last['input_tokens'] + cached + cacheWritten,
    completion: count(last['output_tokens']),
    cached,
    cacheWritten,
    written1h: count(object(last['cache_creation'])['ephemeral_1h_input_tokens']),
    reasoning: count(object(last['output_tokens_details'])['thinking_tokens']),
  }
}
