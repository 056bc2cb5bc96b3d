import type { FinishReason } from '@turnpike/protocol'

/**
 * https://platform.openai.com/docs/api-reference/chat/object#chat/object-choices and what compatible vendors
 * say: Together and Hugging Face (`eos`, `eos_token`, `stop_sequence`), Mistral (`model_length`), Z.ai
 * (`sensitive`, `model_context_window_exceeded`), and gateways that leave the word of the vendor behind them.
 */
const reasons = new Map<string, FinishReason>(
  Object.entries({
    stop: 'stop',
    eos: 'stop',
    eos_token: 'stop',
    stop_sequence: 'stop',
    end_turn: 'stop',
    complete: 'stop',
    done: 'stop',
    length: 'length',
    model_length: 'length',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_calls: 'tool-calls',
    tool_use: 'tool-calls',
    function_call: 'tool-calls',
    content_filter: 'content-filter',
    sensitive: 'content-filter',
    safety: 'content-filter',
    refusal: 'content-filter',
  }),
)

/** The vendor's word; empty while the choice goes on. Some have numbers in the place of words. */
export function rawFinishReason(reason: unknown): string {
  if (typeof reason === 'number') return String(reason)
  return typeof reason === 'string' ? reason : ''
}

export function parseFinishReason(raw: string): FinishReason {
  return reasons.get(raw) ?? reasons.get(raw.toLowerCase()) ?? 'unknown'
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
