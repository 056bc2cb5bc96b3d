import type { Message } from '@turnpike/api'
import * as z from 'zod'
import { ToolRefusal } from '../tool-refusal.ts'

/** The input for a model: a prompt, or a conversation. */
export const promptInput = {
  prompt: z.string().optional().describe('The prompt; or use `messages`'),
  messages: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .optional()
    .describe('A whole conversation, in place of `prompt`'),
  system: z.string().optional().describe('A system prompt'),
}

interface PromptInput {
  prompt?: string | undefined
  messages?: Message[] | undefined
  system?: string | undefined
}

/** @throws {ToolRefusal} if there is neither a prompt nor a conversation, or both */
export function messagesOf({ prompt, messages = [], system }: PromptInput): Message[] {
  const conversation =
    prompt === undefined ? messages : [...messages, { role: 'user' as const, content: prompt }]
  if (conversation.length === 0 || (prompt !== undefined && messages.length > 0)) {
    throw new ToolRefusal('Expected either `prompt` or `messages`.', 'prompt')
  }
  return system === undefined ? conversation : [{ role: 'system', content: system }, ...conversation]
}
