import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, encryptionKeys, wholeNumber } from './values.ts'

export const promptLog = closed(
  'The prompt log: prompts and answers of accounts or keys that ask for it (`log_prompts`).',
  {
    enabled: Type.Optional(
      Type.Boolean({
        default: defaults.prompt_log.enabled,
        description: '`false` disables it for everybody and deletes existing entries within the hour.',
      }),
    ),
    max_days: Type.Optional(
      wholeNumber(1, 3_650, {
        default: defaults.prompt_log.max_days,
        description: 'Maximum number of days an account can keep entries. Default of an account: 7.',
      }),
    ),
    max_bytes: Type.Optional(
      wholeNumber(4 * 1024, 2 * 1024 * 1024, {
        default: defaults.prompt_log.max_bytes,
        description: 'Maximum size of a request, and of an answer, as JSON. More is truncated and marked.',
      }),
    ),
    max_account_bytes: Type.Optional(
      wholeNumber(1024 * 1024, 1024 ** 4, {
        default: defaults.prompt_log.max_account_bytes,
        description:
          "Maximum size of one account's entries, compressed and encrypted. Beyond it the oldest are " +
          'deleted.',
      }),
    ),
    encryption_keys: Type.Optional(
      encryptionKeys(
        'The first key encrypts, each decrypts what it encrypted. Without it: those of ' +
          '`responses`; else, with the embedded database, one generated in `data_dir`; else ' +
          'nobody can turn the log on. To change it, put a new key first and remove the old one ' +
          'after `max_days`.',
      ),
    ),
    redact: Type.Optional(
      Type.Array(
        closed('What is taken out beside keys, tokens, passwords, cards and mail addresses.', {
          name: Type.String({
            format: 'name',
            description: 'Name shown in its place: `[redacted:customer_number]`.',
          }),
          pattern: Type.String({
            minLength: 1,
            maxLength: 1_000,
            format: 're2',
            description: 'RE2 syntax; prefix `(?i)` to ignore case.',
          }),
        }),
        { maxItems: 50, description: 'Additional patterns to redact before anything is stored.' },
      ),
    ),
  },
)
