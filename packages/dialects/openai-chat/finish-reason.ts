import type { FinishReason } from '@turnpike/protocol'

/**
 * OpenAI's reasons (https://platform.openai.com/docs/api-reference/chat/object#chat/object-choices) and those
 * of compatible vendors: Together and Hugging Face (`eos`, `eos_token`, `stop_sequence`), Mistral
 * (`model_length`), Z.ai (`sensitive`, `model_context_window_exceeded`), and gateways that pass on their own
 * vendor's reason.
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

/** The vendor's reason; empty while the choice continues. Some vendors send numbers. */
export function rawFinishReason(reason: unknown): string {
  if (typeof reason === 'number') return String(reason)
  return typeof reason === 'string' ? reason : ''
}

export function parseFinishReason(raw: string): FinishReason {
  return reasons.get(raw) ?? reasons.get(raw.toLowerCase()) ?? 'unknown'
}

/** Only OpenAI's own reasons are sent, since clients may check them. */
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
