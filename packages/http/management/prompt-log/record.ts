import type { FoundLog, LoggedSide } from '@turnpike/gateway'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp } from '../validation/fields.ts'
import { answerTranscript, requestTranscript } from './transcript.ts'

const messageSchema = Type.Object(
  {
    role: Type.String({
      description:
        '`system`, `user`, `assistant`, `model`, `tool`, as named by its API; `error`: the error message.',
    }),
    parts: Type.Array(
      Type.Object({
        type: Type.Enum(['text', 'reasoning', 'refusal', 'tool_call', 'tool_result', 'media', 'other']),
        text: Type.String({
          description: 'The text; arguments of a call, as JSON; the URL of media, if any.',
        }),
        name: Type.Optional(Type.String({ description: 'Of a tool.' })),
        call_id: Type.Optional(Type.String()),
        media_type: Type.Optional(Type.String()),
        bytes: Type.Optional(Type.Integer({ description: 'Size of media whose data was left out.' })),
      }),
    ),
  },
  { title: 'LoggedMessage' },
)

const sideFields = {
  body: Type.Unsafe<unknown>({
    description: 'As it was sent, redacted: JSON, or text if it was not JSON; null: nothing is stored.',
  }),
  bytes: Type.Integer({ description: 'Its original length.' }),
  truncated: Type.Boolean({ description: 'Truncated because it exceeded the size limit.' }),
  messages: Type.Array(messageSchema, { description: 'The same in an API-independent format, for reading.' }),
}

export const requestLogSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('request.log'),
    created_at: timestamp,
    expires_at: Type.Integer({ description: 'When it is deleted, in Unix epoch seconds.' }),
    unreadable: nullable(
      Type.Enum(['key_missing', 'damaged'], {
        description:
          'Why it cannot be read: the operator no longer has the key that it was encrypted with, or ' +
          'the data is damaged. Null: it can be read.',
      }),
    ),
    path: nullable(Type.String({ description: 'The path that was called: `/v1/chat/completions`.' })),
    request: nullable(Type.Object(sideFields, { description: 'Null: its body was not read.' })),
    answer: nullable(
      Type.Object(
        {
          status: Type.Integer({ description: 'HTTP status.' }),
          streamed: Type.Boolean({ description: 'It was streamed; `body` is assembled from its events.' }),
          ...sideFields,
        },
        { description: 'Null: there was none.' },
      ),
    ),
    redacted: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of redacted secrets and personal data, by kind: `{"email": 2}`.',
    }),
  },
  { title: 'RequestLog' },
)

/** @param keptMs how long entries of the account are kept */
export function requestLogRecord(
  id: string,
  { createdAtMs, entry }: FoundLog,
  keptMs: number,
): Static<typeof requestLogSchema> {
  const head = {
    id,
    object: 'request.log' as const,
    created_at: epochSeconds(createdAtMs),
    expires_at: epochSeconds(createdAtMs + keptMs),
  }
  if (typeof entry === 'string')
    return { ...head, unreadable: entry, path: null, request: null, answer: null, redacted: {} }
  const { path, request, answer, redacted } = entry
  return {
    ...head,
    unreadable: null,
    path,
    request: request && { ...sideOf(request), messages: requestTranscript(request.body) },
    answer: answer && {
      status: answer.status,
      streamed: answer.streamed,
      ...sideOf(answer),
      messages: answerTranscript(answer.body),
    },
    redacted,
  }
}

function sideOf({ body, bytes, truncated }: LoggedSide) {
  return { body, bytes, truncated }
}
