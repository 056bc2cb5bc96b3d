import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ScriptStep, VendorScript } from '@turnpike/simulators'

/** Much more than all buffers between the vendor and the client hold together. */
const events = 3_000
const charactersAnEvent = 32 * 1024
const completionTokens = 5

export const longAnswerBytes = events * charactersAnEvent

/** A stream that is too long to be buffered for a client. */
export function longAnswer(): VendorScript {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const chunk = (extra: object): string => `data: ${JSON.stringify({ ...head, ...extra })}\n\n`
  const choice = (content: string, finishReason: string | null): object => ({
    choices: [{ index: 0, delta: { content }, finish_reason: finishReason }],
  })
  const bytes = (text: string): ScriptStep => ({ type: 'bytes', bytes: Buffer.from(text), tokens: 0 })
  const event = bytes(chunk(choice('x'.repeat(charactersAnEvent), null)))
  const usage = { prompt_tokens: 1, completion_tokens: completionTokens, total_tokens: 1 + completionTokens }
  const ending = chunk(choice('', 'stop')) + chunk({ choices: [], usage }) + 'data: [DONE]\n\n'
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [{ type: 'head' }, ...Array.from({ length: events }, () => event), bytes(ending), { type: 'end' }],
    bill: undefined,
  }
}

/** A client's connection on which a long answer has begun. */
export async function openStream(port: number, rawKey: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const request = {
    model: 'vendor/m',
    stream: true,
    max_tokens: 20_000_000,
    messages: [{ role: 'user', content: 'x' }],
  }
  const body = JSON.stringify(request)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${rawKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  return socket
}
