import { expect, test } from 'vitest'
import { EventStream } from './event-stream.ts'

test('EventStream returns the same events wherever the text was split', () => {
  const text = ': keep-alive\n\ndata: {"a":1}\n\ndata: x\ndata: y\r\n\r\ndata: [DONE]\n\n'
  for (let cut = 0; cut <= text.length; cut++) {
    const events = new EventStream()
    expect([...events.push(text.slice(0, cut)), ...events.push(text.slice(cut))]).toEqual([
      '{"a":1}',
      'x\ny',
      '[DONE]',
    ])
  }
})
