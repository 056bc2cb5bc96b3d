import { anthropicMessages } from './anthropic-messages.ts'
import type { CallerUnderTest } from './caller-under-test.ts'
import { googleGenerate } from './google-generate.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** Every caller format: each passes the same suite before every vendor. */
export const callers: [name: string, caller: CallerUnderTest][] = [
  openaiChat,
  anthropicMessages,
  googleGenerate,
  openaiResponses,
].map((caller) => [caller.format.name, caller])
