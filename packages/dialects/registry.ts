import { anthropicMessagesCaller } from './anthropic-messages/caller.ts'
import { anthropicMessages } from './anthropic-messages/dialect.ts'
import { deepseekChat } from './deepseek-chat/dialect.ts'
import type { DialectName, VendorDialect } from './dialect.ts'
import { googleGenerate } from './google-generate/dialect.ts'
import { mistralChat } from './mistral-chat/dialect.ts'
import type { CallerFormat } from './caller.ts'
import { openaiChatCaller } from './openai-chat/caller.ts'
import { openaiChat } from './openai-chat/dialect.ts'

/** Every dialect that can be spoken to a vendor. */
export const dialects: Readonly<Record<DialectName, VendorDialect>> = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
  'google-generate': googleGenerate,
  'mistral-chat': mistralChat,
  'deepseek-chat': deepseekChat,
}

/** Every format that callers may speak. */
export const callerFormats: readonly CallerFormat[] = [openaiChatCaller, anthropicMessagesCaller]
