import { completionFacts, completionRecord, defaultModel } from '@turnpike/api'
import * as z from 'zod'
import type { Api } from '../api.ts'
import { making, tool } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { messagesOf, promptInput } from './prompt.ts'

/** Clients give up on a call without progress, commonly after a minute. */
const progressMs = 1_000

export const chat = tool({
  name: 'chat',
  title: 'Ask a model',
  description:
    'Sends a prompt to a model and returns its answer and cost. It is paid from the credit of the ' +
    'user’s key. ' +
    'Without `model`, auto-routing picks one if the gateway has it, otherwise a small, inexpensive one.',
  input: {
    ...promptInput,
    model: z.string().optional().describe('As listed by `list_models`: `openai/gpt-5-mini`'),
    max_tokens: z.number().int().min(1).optional().describe('Maximum length of the answer, in tokens'),
    tags: z.array(z.string()).max(20).optional().describe('For cost reports: `project:website`'),
  },
  output: {
    model: z.string().describe('The model that answered'),
    content: z.string(),
    finish_reason: z.string().nullable(),
    tokens_in: z.number().nullable(),
    tokens_out: z.number().nullable(),
    cost_usd: z.string().nullable().describe('Exact cost of this call'),
    time_to_first_token_ms: z.number().nullable(),
    latency_ms: z.number(),
    request_id: z.string().nullable(),
  },
  annotations: { ...making, openWorldHint: true },
  scopes: ['chat'],
  async run(api, { model, max_tokens: maxTokens, tags, ...prompt }, { signal, progress }) {
    const messages = messagesOf(prompt)
    const request = {
      model: model ?? (await requireModel(api)),
      messages,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(tags !== undefined && { tags }),
    }
    let length = 0
    let toldMs = api.clock()
    const onText = (piece: string): void => {
      length += piece.length
      if (api.clock() - toldMs < progressMs) return
      toldMs = api.clock()
      progress(`${length} characters`)
    }
    const completion = await api.complete(request, onText, signal)
    return {
      value: completionRecord(completion),
      text: [completion.content, completionFacts(completion)],
    }
  },
})

async function requireModel(api: Api): Promise<string> {
  const model = defaultModel(await api.models())
  if (model !== undefined) return model
  throw new ToolRefusal('The gateway has no models that this key may call.', 'model', 'not_found_error')
}
