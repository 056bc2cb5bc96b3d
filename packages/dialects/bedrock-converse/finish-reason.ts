import type { FinishReason } from '@turnpike/protocol'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseResponse.html */
const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  content_filtered: 'content-filter',
  guardrail_intervened: 'content-filter',
}

/** The model's output was malformed: neither an answer nor a call. */
const failures: ReadonlySet<string> = new Set(['malformed_model_output', 'malformed_tool_use'])

export function parseStopReason(raw: string): FinishReason {
  return Object.hasOwn(reasons, raw) ? reasons[raw]! : 'unknown'
}

export function isFailure(raw: string): boolean {
  return failures.has(raw)
}
