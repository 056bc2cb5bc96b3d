import { openaiChatCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { list, object, text } from '../vendors/oracle/json.ts'
import { toldAnswer, toldChunks } from '../vendors/told-answer.ts'
import { expectTold } from '../vendors/told-as-said.ts'
import type { CallerUnderTest } from './caller-under-test.ts'

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
    const failed = chunks.filter((chunk) => chunk['error'] !== undefined)
    // It comes last and once, and its only choice ends with it.
    expect(failed).toEqual(chunks.slice(chunks.length - failed.length))
    expect(failed.length).toBeLessThan(2)
    for (const chunk of failed)
      expect(list(chunk['choices'])).toMatchObject([{ delta: {}, finish_reason: 'error' }])
    const answer = toldAnswer(chunks.slice(0, chunks.length - failed.length))
    return { answer, ended: done, error: failed.length === 0 ? undefined : messageOf(failed[0]!) }
  },

  readWhole: (body) => toldAnswer([body]),
  readError: (body) => messageOf(body),
  expectTold,
}

function messageOf({ error }: Record<string, unknown>): string | undefined {
  const message = text(object(error)['message'])
  return message === '' ? undefined : message
}
