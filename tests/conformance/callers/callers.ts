import { anthropicMessages } from './anthropic-messages.ts'
import type { CallerUnderTest } from './caller-under-test.ts'
import { googleArray, googleGenerate } from './google-generate.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiResponses } from './openai-responses.ts'

/** Every caller format; each passes the same suite with every vendor. */
export const callers: [name: string, caller: CallerUnderTest][] = [
  ['openai-chat', openaiChat],
  ['anthropic-messages', anthropicMessages],
  ['google-generate', googleGenerate],
  ['google-generate as a list', googleArray],
  ['openai-responses', openaiResponses],
  ['openai-completions', openaiCompletions],
]
