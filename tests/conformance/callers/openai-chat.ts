import { openaiChatCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { list } from '../vendors/oracle/json.ts'
import { toldAnswer, toldChunks } from '../vendors/told-answer.ts'
import { expectTold } from '../vendors/told-as-said.ts'
import type { CallerUnderTest } from './caller-under-test.ts'
import { openaiMessage, splitError } from './told-choices.ts'

export const openaiChat: CallerUnderTest = {
  format: openaiChatCaller,

  address: () => openaiChatCaller.path,

  request: (model, stream) => ({
    model,
    messages: [{ role: 'user', content: 'Hello' }],
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),

  readStream(body) {
    const { chunks, done } = toldChunks(body)
    const [told, error] = splitError(chunks, (chunk) => chunk['error'] !== undefined)
    // The error's only choice ends with it.
    for (const chunk of chunks.slice(told.length))
      expect(list(chunk['choices'])).toMatchObject([{ delta: {}, finish_reason: 'error' }])
    return { answer: toldAnswer(told), ended: done, error }
  },

  readWhole: (body) => toldAnswer([body]),
  readError: openaiMessage,
  expectTold,
}
