import type { FinishReason } from '@turnpike/protocol'

/**
 * https://platform.openai.com/docs/api-reference/chat/object#chat/object-choices and what compatible vendors
 * say.
 */
const reasons: Record<string, FinishReason> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  length: 'length',
  model_length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

export function parseFinishReason(raw: string): FinishReason {
  return reasons[raw] ?? 'unknown'
}

/** Only OpenAI's own words go out: a client that checks them must not stumble. */
export function formatFinishReason(reason: FinishReason, rawReason: string): string {
  if (rawReason === 'function_call') return rawReason
  switch (reason) {
    case 'tool-calls':
      return 'tool_calls'
    case 'content-filter':
      return 'content_filter'
    case 'length':
      return 'length'
    case 'stop':
    case 'unknown':
      return 'stop'
  }
}
