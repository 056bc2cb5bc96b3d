import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, encryptionKeys, wholeNumber } from './values.ts'

export const responses = closed('Kept answers of `POST /v1/responses`.', {
  store_days: Type.Optional(
    wholeNumber(1, 365, {
      description:
        'Number of days for which answers and their conversations are kept, encrypted, for ' +
        '`previous_response_id` and `GET /v1/responses/{id}`, unless a request says `store: ' +
        'false`. Without it: none are kept.',
    }),
  ),
  encryption_keys: Type.Optional(
    encryptionKeys(
      'The first key encrypts, each decrypts what it encrypted. To change it, put a new key ' +
        'first and remove the old one after `store_days`.',
    ),
  ),
  max_answer_bytes: Type.Optional(
    wholeNumber(64 * 1024, 32 * 1024 * 1024, {
      default: defaults.responses.max_answer_bytes,
      description:
        'Maximum size of an answer with the conversation before it, as JSON. A larger one is not ' +
        'kept: its `store` is false.',
    }),
  ),
  max_account_bytes: Type.Optional(
    wholeNumber(1024 * 1024, 1024 ** 4, {
      default: defaults.responses.max_account_bytes,
      description:
        "Maximum size of one account's kept answers, compressed and encrypted. Beyond it the " +
        'oldest are deleted.',
    }),
  ),
})
