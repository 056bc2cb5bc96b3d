import { completionRecord, type Message } from '@turnpike/api'
import { complete } from '../../api/completion.ts'
import { apiKeyFor } from '../../api/key-api.ts'
import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { record, type Result } from '../../output/result.ts'
import { command, list, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { readAll } from '../../terminal/read-all.ts'
import { harmless } from '../../terminal/text-width.ts'
import { defaultModel } from './default-model.ts'
import { turnFacts, type ChatSettings } from './turn.ts'

const mostTokens = 1_000_000

export default command({
  details: [
    'On a terminal: a conversation, with streamed answers and their cost. With a prompt, as ' +
      'argument or on stdin: a single answer. Without --model: auto-routing if the gateway has it, ' +
      'else a small, inexpensive model.',
  ],
  arguments: { prompt: { kind: 'words', description: 'The prompt; without it, a conversation' } },
  options: {
    model: text('id', 'The model, as <provider>/<model>'),
    system: text('text', 'A system prompt'),
    maxTokens: text('n', 'Maximum length of an answer'),
    tag: list('tag', 'A cost tag; repeat for several'),
    key: text('api-key', 'The API key (default: TURNPIKE_API_KEY, else the cached one)'),
  },
  fields: [
    'model',
    'content',
    'finish_reason',
    'tokens_in',
    'tokens_out',
    'cost_usd',
    'time_to_first_token_ms',
    'latency_ms',
    'request_id',
  ],
  examples: [
    { does: 'Start a conversation', line: 'turnpike chat' },
    { does: 'Ask once', line: 'turnpike chat "Why is the sky blue?"' },
    { does: 'Ask about a file', line: 'turnpike chat --system "Summarize this." < notes.txt' },
    {
      does: 'Only answer and cost, for a program',
      line: 'turnpike chat "Hi" --json --fields content,cost_usd',
    },
  ],
  async run(context, { prompt, model, system, maxTokens, tag, key }) {
    const limit = wholeNumber(maxTokens, '--max-tokens', { min: 1, max: mostTokens })
    const isConversation = prompt.length === 0 && context.input.isTTY
    if (isConversation && context.output.isJson) {
      throw badInput('With --json, chat needs a prompt: turnpike chat --json "…"', 'prompt')
    }
    const apiKey = await apiKeyFor(context, key)
    const content = isConversation || prompt.length > 0 ? prompt.join(' ') : await readAll(context)
    if (!isConversation && content.trim() === '') throw badInput('Expected a prompt.', 'prompt')
    const settings: ChatSettings = {
      apiKey,
      model: model ?? (await defaultModel(context, apiKey)),
      system,
      maxTokens: limit,
      tags: tag,
    }
    if (!isConversation) return answerOnce(context, settings, content)
    const { converse } = await import('./conversation.ts')
    return converse(context, settings)
  },
})

async function answerOnce(context: Context, settings: ChatSettings, content: string): Promise<Result> {
  const { output } = context
  const { apiKey, model, system, maxTokens, tags } = settings
  const messages: Message[] = [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user', content },
  ]
  const progress = output.progress('Asking')
  let isEmpty = true
  const onText = (piece: string): void => {
    progress.stop()
    isEmpty = false
    if (!output.isJson) output.write(harmless(piece))
  }
  try {
    const request = { model, messages, tags, ...(maxTokens !== undefined && { maxTokens }) }
    const completion = await complete(context, apiKey, request, onText)
    return record(completionRecord(completion), () => {
      output.say(turnFacts(completion, output.messages.style))
      return ''
    })
  } finally {
    progress.stop()
    if (!output.isJson && !isEmpty) output.write('\n')
  }
}
