import type { RecordedCase, Recordings } from '@turnpike/simulators'
import { anthropicMessage, anthropicStream, firstMessage } from './anthropic.ts'
import { chatAnswer } from './chat.ts'
import { cohereAnswer } from './cohere.ts'
import { asChat } from './completions.ts'
import { failureOf, messageOf } from './failure.ts'
import { googleAnswer } from './google.ts'
import { object, type Json } from './json.ts'
import { responsesAnswer } from './responses.ts'
import { recordedEvents } from './recorded-events.ts'
import type { Said, SaidAnswer } from './said-answer.ts'

/** What the caller of a recorded case must get. */
export function said(recordings: Recordings, recorded: RecordedCase): Said {
  const bytes = recordings.response(recorded.id)
  if (recorded.status !== 200) {
    const header = recordings.script(recorded.id).headers['retry-after']
    const retryAfter = typeof header === 'string' ? header : undefined
    return {
      kind: 'failed',
      failure: failureOf(recorded.status, retryAfter, JSON.parse(bytes.toString('utf8'))),
    }
  }
  const bodies = recorded.stream ? recordedEvents(bytes) : [object(JSON.parse(bytes.toString('utf8')))]
  if (recorded.api === 'messages' && recorded.stream) return saidByAnthropic(bodies)
  const answer = answerOf(recorded, bodies)
  const error = bodies.find((body) => body['error'] !== undefined && body['error'] !== null)
  if (error === undefined) return { kind: 'answer', answer }
  return { kind: 'broken', answer, message: messageOf(error) }
}

function saidByAnthropic(all: readonly Json[]): Said {
  const { events, spliced } = firstMessage(all)
  const answer = anthropicStream(events)
  return spliced ? { kind: 'broken', answer, message: undefined } : { kind: 'answer', answer }
}

function answerOf({ api }: RecordedCase, bodies: readonly Json[]): SaidAnswer {
  switch (api) {
    case 'messages':
      return anthropicMessage(bodies[0]!)
    case 'generateContent':
    case 'streamGenerateContent':
      return googleAnswer(bodies)
    case 'cohere-chat':
      return cohereAnswer(bodies)
    case 'completions':
      return chatAnswer(bodies.map(asChat))
    case 'responses':
      return responsesAnswer(bodies)
    default:
      return chatAnswer(bodies)
  }
}
