import type { RecordedCase, Recordings } from '@turnpike/simulators'
import { asksForStream } from './chat-cases.ts'
import { list, object, type Json } from './oracle/json.ts'

const anyRequest: Json = { messages: [{ role: 'user', content: 'Hello' }] }

/**
 * A caller's request that replays the case: the recorded one if it has OpenAI's format, else any request.
 * Always requests usage.
 */
export function recordedRequest(recordings: Recordings, recorded: RecordedCase, model: string): Json {
  const stream = asksForStream(recorded)
  const body = recorded.api === 'chat' ? recordings.request(recorded.id) : undefined
  const written = body === undefined ? undefined : object(JSON.parse(body.toString('utf8')))
  // Mistral accepts a tool without a type, OpenAI does not.
  const isOpenai = list(written?.['tools']).every((tool) => tool['type'] !== undefined)
  const request = written !== undefined && isOpenai ? written : anyRequest
  return {
    ...request,
    model,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}
