import { openaiCompletionsCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { chatAnswer } from '../vendors/oracle/chat.ts'
import { asChat } from '../vendors/oracle/completions.ts'
import { list, type Json } from '../vendors/oracle/json.ts'
import type { SaidChoice } from '../vendors/oracle/said-answer.ts'
import { toldChunks } from '../vendors/told-answer.ts'
import type { CallerUnderTest } from './caller-under-test.ts'
import { openaiMessage, splitError } from './told-choices.ts'

export const openaiCompletions: CallerUnderTest = {
  format: openaiCompletionsCaller,
  callsNoTools: true,

  address: () => openaiCompletionsCaller.path,

  request: (model, stream) => ({
    model,
    prompt: 'Hello',
    max_tokens: 4_096,
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),

  readStream(body) {
    const { chunks, done } = toldChunks(body)
    const [told, error] = splitError(chunks, (chunk) => chunk['error'] !== undefined)
    expect(error === undefined || !done).toBe(true)
    for (const chunk of chunks) expectShape(chunk)
    return { answer: chatAnswer(told.map(asChat)), ended: done, error }
  },

  readWhole(body) {
    expectShape(body)
    return chatAnswer([asChat(body)])
  },

  readError: openaiMessage,

  expectTold(told, said) {
    expect(told.choices.map(comparable)).toEqual(said.choices.map(comparable))
    if (said.usage === undefined) expect(told.usage).toBeDefined()
    // OpenAI's usage does not say how long tokens were cached, but the price shows it.
    else expect(told.usage).toEqual({ ...said.usage, written1h: 0 })
  },
}

function expectShape(body: Json): void {
  expect(body).toMatchObject({
    id: expect.stringMatching(/^cmpl-/u) as string,
    object: 'text_completion',
    created: expect.any(Number) as number,
    model: expect.any(String) as string,
  })
  for (const choice of list(body['choices']))
    expect(choice).toMatchObject({ text: expect.any(String) as string, index: expect.any(Number) as number })
}

/** The format has no tools, and no refusals besides the text. */
function comparable({ text: said, refusal, reasoning, finish }: SaidChoice): object {
  const called = finish === 'tool_calls' || finish === 'function_call'
  return { text: said + refusal, reasoning, finish: called ? 'stop' : finish }
}
