import type { Operation } from '../operation.ts'
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

export const promptLogOperations: Record<string, Operation> = {
  'GET /prompt-log': {
    id: 'getPromptLog',
    tag: 'Prompt log',
    summary: 'What is kept of prompts and answers',
    description:
      'Whether prompts and answers are kept, for how long, and what they take. They are kept where the ' +
      'account (`PATCH /api/v1/me`) or a key (`PATCH /api/v1/me/keys/{key_id}`) says `log_prompts: true`; ' +
      'what a key says holds for it.',
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
    tag: 'Prompt log',
    summary: 'Delete what is kept of prompts and answers',
    description:
      'All of it, or with `key_id` what requests of that key left. What came before is gone with the ' +
      'answer, also where its request is still under way on another node. Whether more is kept from now on ' +
      'stays as it is.',
    audited: true,
    answer: { id: ids.account, object: 'prompt_log', deleted: 42 },
  },
  'GET /usage/requests/:request_id/log': {
    id: 'getRequestLog',
    tag: 'Prompt log',
    summary: 'The prompt and answer of a request',
    description:
      'As they were sent, with secrets and personal data taken out, and once more as messages, which read ' +
      'the same for each API. For the account’s own user alone: there is no such path for operators. 404 ' +
      'where nothing is kept.',
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
    tag: 'Prompt log',
    summary: 'Delete the prompt and answer of a request',
    description: 'None of it is kept later, either. The request’s row stays. Again: the same answer.',
    audited: true,
    answer: { id: ids.request, object: 'request.log', deleted: true },
  },
}
