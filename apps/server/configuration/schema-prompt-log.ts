import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, secret, wholeNumber } from './schema-values.ts'

export const promptLog = closed(
  'What is kept of prompts and answers where an account or a key asks for it (`log_prompts`): nobody’s are ' +
    'otherwise.',
  {
    enabled: Type.Optional(
      Type.Boolean({
        default: defaults.prompt_log.enabled,
        description: 'False: nobody may keep them, and what was kept is deleted within the hour.',
      }),
    ),
    max_days: Type.Optional(
      wholeNumber(1, 3_650, {
        default: defaults.prompt_log.max_days,
        description: 'For how many days an account may have them kept; without a wish of its own, 7.',
      }),
    ),
    max_bytes: Type.Optional(
      wholeNumber(4 * 1024, 2 * 1024 * 1024, {
        default: defaults.prompt_log.max_bytes,
        description:
          'How much is kept of a request, and of its answer, as JSON. More is truncated, and told so.',
      }),
    ),
    max_account_bytes: Type.Optional(
      wholeNumber(1024 * 1024, 1024 ** 4, {
        default: defaults.prompt_log.max_account_bytes,
        description: 'How much is kept of one account, packed and encrypted. Beyond it the oldest go.',
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
            'The first one encrypts, and each one decrypts what it has encrypted. Absent: those of ' +
            '`responses`; without these, with the embedded database, one that is made in `data_dir`, and ' +
            'with another one nobody’s prompts are kept. To change the key, put a new one before the old ' +
            'one, and leave that out once `max_days` have passed.',
        },
      ),
    ),
    redact: Type.Optional(
      Type.Array(
        closed('What is taken out beside keys, tokens, passwords, cards and mail addresses.', {
          name: Type.String({
            format: 'name',
            description: 'Stands in its place: `[redacted:customer_number]`.',
          }),
          pattern: Type.String({
            minLength: 1,
            maxLength: 1_000,
            format: 're2',
            description: 'In the syntax of RE2; `(?i)` before it takes upper and lower case for the same.',
          }),
        }),
        { maxItems: 50, description: 'Further patterns to redact before anything is kept.' },
      ),
    ),
  },
)
