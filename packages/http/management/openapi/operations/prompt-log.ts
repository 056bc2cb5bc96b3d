import { operationsOf } from '../operation.ts'
import { ids } from './examples.ts'

const request = {
  model: 'openai/gpt-5-mini',
  messages: [{ role: 'user', content: 'Write to [redacted:email]' }],
}
const answer = {
  id: `chatcmpl-${ids.request}`,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
}

export const promptLogOperations = operationsOf('Prompt log', {
  'GET /prompt-log': {
    id: 'getPromptLog',
    summary: 'Prompt log settings',
    description:
      'Whether prompts and answers are stored, for how long, and how much space they use. They are ' +
      'stored if the ' +
      'account (`PATCH /api/v1/me`) or a key (`PATCH /api/v1/me/keys/{key_id}`) has `log_prompts: true`. ' +
      'A key’s setting takes precedence.',
    polled: true,
    answer: {
      object: 'prompt_log',
      available: true,
      log_prompts: true,
      days: 7,
      max_days: 30,
      max_bytes: 262_144,
      max_account_bytes: 268_435_456,
      entries: 42,
      bytes: 61_440,
      oldest_at: 1741050000,
    },
  },
  'DELETE /prompt-log': {
    id: 'deletePromptLog',
    summary: 'Delete prompts and answers',
    description:
      'Deletes all of them, or with `key_id` those of one key. Everything before is deleted with this ' +
      'response, even if the request is still in progress on another node. The setting for new requests ' +
      'does not change.',
    audited: true,
    answer: { id: ids.account, object: 'prompt_log', deleted: 42 },
  },
  'GET /usage/requests/:request_id/log': {
    id: 'getRequestLog',
    summary: 'The prompt and answer of a request',
    description:
      'As they were sent, with secrets and personal data redacted, and again as messages, in a ' +
      'format that is ' +
      'the same for every API. Only for the account’s own users; operators have no such path. 404 ' +
      'if nothing is stored.',
    answer: {
      id: ids.request,
      object: 'request.log',
      created_at: 1741050000,
      expires_at: 1741654800,
      unreadable: null,
      path: '/v1/chat/completions',
      request: {
        body: request,
        bytes: 94,
        truncated: false,
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Write to [redacted:email]' }] }],
      },
      answer: {
        status: 200,
        streamed: false,
        body: answer,
        bytes: 412,
        truncated: false,
        messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }],
      },
      redacted: { email: 1 },
    },
  },
  'DELETE /usage/requests/:request_id/log': {
    id: 'deleteRequestLog',
    summary: 'Delete the prompt and answer of a request',
    description: 'None of it is kept later, either. The request’s row stays. Again: the same response.',
    audited: true,
    answer: { id: ids.request, object: 'request.log', deleted: true },
  },
})
