import { anthropicMessagesCaller } from './anthropic-messages/caller.ts'
import { anthropicMessages } from './anthropic-messages/vendor.ts'
import type { CallerFormat, GenerateCaller } from './caller.ts'
import { deepseekChat } from './deepseek-chat/vendor.ts'
import { googleGenerateCaller } from './google-generate/caller.ts'
import { googleGenerate } from './google-generate/vendor.ts'
import { mistralFim } from './mistral-fim/vendor.ts'
import { mistralChat } from './mistral-chat/vendor.ts'
import { openaiChatCaller } from './openai-chat/caller.ts'
import { openaiChat } from './openai-chat/vendor.ts'
import { openaiCompletionsCaller } from './openai-completions/caller.ts'
import { openaiCompletions } from './openai-completions/vendor.ts'
import { openaiResponsesCaller } from './openai-responses/caller.ts'
import { openaiResponses } from './openai-responses/vendor.ts'
import type { GenerateFormat, GenerateFormatName, VendorFormat, FormatName } from './vendor.ts'

/** Formats in which models are asked for answers. */
export const generateFormats: Readonly<Record<GenerateFormatName, GenerateFormat>> = {
  'openai-chat': openaiChat,
  'openai-completions': openaiCompletions,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  'google-generate': googleGenerate,
  'mistral-chat': mistralChat,
  'mistral-fim': mistralFim,
  'deepseek-chat': deepseekChat,
}

/** Every format that can be spoken to a vendor. */
export const vendorFormats: Readonly<Record<FormatName, VendorFormat>> = { ...generateFormats }

/** Formats in which callers ask models for answers. */
export const generateCallers: readonly GenerateCaller[] = [
  openaiChatCaller,
  anthropicMessagesCaller,
  googleGenerateCaller,
  openaiResponsesCaller,
  openaiCompletionsCaller,
]

/** Every format that callers may speak. */
export const callerFormats: readonly CallerFormat[] = [...generateCallers]
