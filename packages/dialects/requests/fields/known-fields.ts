import { outputBoundFields } from '../output-bounds.ts'

/** Fields of chat completions that say how to answer, and have a word of ours. */
export const settingFields = [
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
  'logprobs',
  'top_logprobs',
  'user',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning',
] as const

/**
 * Fields of chat completions that have a word of ours; every other one travels in `extensions`. A format that
 * has other words for them takes none of these: in the extensions they would be said a second time to vendors
 * that know them.
 */
export const knownChatFields: ReadonlySet<string> = new Set([
  'model',
  'models',
  'messages',
  'metadata',
  'stream',
  'stream_options',
  'n',
  ...outputBoundFields,
  'tools',
  ...settingFields,
])
