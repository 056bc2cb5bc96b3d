import type { FinishReason } from '@turnpike/protocol'

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  // The vendor paused a long turn of its own tools: there is nothing for the caller to call.
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
}

export function parseStopReason(raw: string): FinishReason {
  return Object.hasOwn(reasons, raw) ? reasons[raw]! : 'unknown'
}

const words: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  unknown: 'end_turn',
}

/** Anthropic's stop reason. One that only Anthropic has, such as `pause_turn`, stays unchanged. */
export function formatStopReason(reason: FinishReason, rawReason: string): string {
  return Object.hasOwn(reasons, rawReason) ? rawReason : words[reason]
}
