import { outputBoundFields } from '../output-bounds.ts'

/** Fields of chat completions that say how to answer and that `ModelRequest` has, too. */
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
 * Fields of chat completions that `ModelRequest` has; every other field travels in `extensions`. A format
 * with other names for them must not put these into `extensions`: vendors that know them would get them
 * twice.
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
