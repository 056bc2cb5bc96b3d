import { dollars, duration, type Completion } from '@turnpike/api'
import { complete } from '../../api/completion.ts'
import { apiKeyFor } from '../../api/key-api.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts } from '../../terminal/table.ts'
import { oneLine, truncate } from '../../terminal/text-width.ts'
import { smallModel } from '../chat/default-model.ts'

/** Enough for a model that reasons first, and still almost free. */
const maxTokens = 256
const prompt = 'Reply with the single word OK.'

export default command({
  details: ['Without --model: a small, inexpensive model.'],
  options: {
    model: text('id', 'The model to ask, as <provider>/<model>'),
    key: text('api-key', 'The API key to check (default: TURNPIKE_API_KEY, else the cached one)'),
  },
  fields: [
    'ok',
    'model',
    'content',
    'time_to_first_token_ms',
    'latency_ms',
    'tokens_in',
    'tokens_out',
    'cost_usd',
    'request_id',
  ],
  examples: [
    { does: 'Check the cached key', line: 'turnpike test' },
    { does: 'Check a model', line: 'turnpike test --model anthropic/claude-haiku-4-5' },
  ],
  async run(context, { model, key }) {
    const apiKey = await apiKeyFor(context, key)
    const progress = context.output.progress('Asking')
    try {
      const modelToTest = model ?? (await smallModel(context, apiKey))
      const messages = [{ role: 'user' as const, content: prompt }]
      const completion = await complete(
        context,
        apiKey,
        { model: modelToTest, messages, maxTokens },
        () => undefined,
      )
      return record(testRecord(completion), (screen) => testFacts(completion, screen))
    } finally {
      progress.stop()
    }
  },
})

function testRecord(completion: Completion): object {
  return {
    ok: true,
    model: completion.model,
    content: completion.content,
    time_to_first_token_ms: completion.firstTokenMs,
    latency_ms: completion.totalMs,
    tokens_in: completion.tokensIn,
    tokens_out: completion.tokensOut,
    cost_usd: completion.costUsd,
    request_id: completion.requestId,
  }
}

function testFacts(completion: Completion, screen: Screen): string {
  const { green, bold } = screen.style
  const { model, content, firstTokenMs, totalMs, tokensIn, tokensOut, costUsd, requestId } = completion
  const answer = truncate(oneLine(content), Math.max(screen.width - 17, 10))
  const rows: [string, string][] = [
    ['answer', answer === '' ? '(no text)' : answer],
    ['first token', firstTokenMs === null ? '–' : duration(firstTokenMs)],
    ['total', duration(totalMs)],
    ['tokens', `${tokensIn ?? '?'} in, ${tokensOut ?? '?'} out`],
    ['cost', costUsd === null ? 'unknown' : dollars(costUsd)],
  ]
  if (requestId !== null) rows.push(['request', oneLine(requestId)])
  return `${green('✓')} ${bold(oneLine(model))} answers\n${facts(rows, screen)}`
}
