import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, secret, wholeNumber } from './schema-values.ts'

export const responses = closed('What is kept of the answers to `POST /v1/responses`.', {
  store_days: Type.Optional(
    wholeNumber(1, 365, {
      description:
        'For how many days answers and what they answer are kept, encrypted, for `previous_response_id` ' +
        'and `GET /v1/responses/{id}`, unless a request says `store: false`. Absent: none is kept.',
    }),
  ),
  encryption_keys: Type.Optional(
    Type.Array(
      secret({
        format: 'key-256',
        description: '32 random bytes in base64, as `openssl rand -base64 32` makes them.',
      }),
      {
        minItems: 1,
        maxItems: 10,
        description:
          'Keys of what is kept: the first one encrypts, and each one decrypts what it has encrypted. To ' +
          'change the key, put a new one before the old one, and leave that out once `store_days` have ' +
          'passed.',
      },
    ),
  ),
  max_answer_bytes: Type.Optional(
    wholeNumber(64 * 1024, 32 * 1024 * 1024, {
      default: defaults.responses.max_answer_bytes,
      description:
        'How large an answer may be together with the conversation before it, as JSON. A larger one is ' +
        'not kept: its `store` is false.',
    }),
  ),
  max_account_bytes: Type.Optional(
    wholeNumber(1024 * 1024, 1024 ** 4, {
      default: defaults.responses.max_account_bytes,
      description:
        'How much is kept of the answers of one account, packed and encrypted. Beyond it the oldest go.',
    }),
  ),
})
