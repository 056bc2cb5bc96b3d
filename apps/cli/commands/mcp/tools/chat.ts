import * as z from 'zod'
import { complete } from '../../../api/completion.ts'
import { apiKeyFor } from '../../../api/key-api.ts'
import { plain } from '../../../terminal/style.ts'
import { defaultModel } from '../../chat/default-model.ts'
import { turnFacts, turnRecord } from '../../chat/turn.ts'
import { tool } from '../tool.ts'
import { messagesOf, promptInput } from './prompt.ts'

/** Clients give up on a call that they hear nothing of, commonly after a minute. */
const progressMs = 1_000

export const chat = tool({
  name: 'chat',
  title: 'Ask a model',
  description:
    'Asks a model and answers its text, with what it cost. It is paid from the credit of the user’s key. ' +
    'Without `model`, auto-routing picks one where the gateway has it, else a small and inexpensive one.',
  input: {
    ...promptInput,
    model: z.string().optional().describe('As `list_models` has it: `openai/gpt-5-mini`'),
    max_tokens: z.number().int().min(1).optional().describe('How long the answer may be'),
    tags: z.array(z.string()).max(20).optional().describe('For the costs: `project:website`'),
  },
  output: {
    model: z.string().describe('The model that answered'),
    content: z.string(),
    finish_reason: z.string().nullable(),
    tokens_in: z.number().nullable(),
    tokens_out: z.number().nullable(),
    cost_usd: z.string().nullable(),
    time_to_first_token_ms: z.number().nullable(),
    latency_ms: z.number(),
    request_id: z.string().nullable(),
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(context, { model, max_tokens: maxTokens, tags, ...prompt }, { signal, progress }) {
    const messages = messagesOf(prompt)
    const key = await apiKeyFor(context)
    const request = {
      model: model ?? (await defaultModel(context, key)),
      messages,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(tags !== undefined && { tags }),
    }
    let length = 0
    let toldMs = context.clock()
    const onText = (piece: string): void => {
      length += piece.length
      if (context.clock() - toldMs < progressMs) return
      toldMs = context.clock()
      progress(`${length} characters`)
    }
    const completion = await complete(context, key, request, onText, signal)
    return { value: turnRecord(completion), text: [completion.content, turnFacts(completion, plain)] }
  },
})
