import type { RecordedCase, Recordings } from '@turnpike/simulators'
import { asksForStream } from './chat-cases.ts'
import { list, object, type Json } from './oracle/json.ts'

const anyRequest: Json = { messages: [{ role: 'user', content: 'Hello' }] }

/**
 * What a caller asks so that the case is played: the recorded request where it was in OpenAI's shape, else
 * any request. Usage is always asked for.
 */
export function recordedRequest(recordings: Recordings, recorded: RecordedCase, model: string): Json {
  const stream = asksForStream(recorded)
  const body = recorded.api === 'chat' ? recordings.request(recorded.id) : undefined
  const written = body === undefined ? undefined : object(JSON.parse(body.toString('utf8')))
  // A tool of Mistral's may lack its type, one of OpenAI's may not.
  const isOpenai = list(written?.['tools']).every((tool) => tool['type'] !== undefined)
  const request = written !== undefined && isOpenai ? written : anyRequest
  return {
    ...request,
    model,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}
