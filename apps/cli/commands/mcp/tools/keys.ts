import * as z from 'zod'
import type { CreatedKey, Key } from '../../../api/key.ts'
import type { List } from '../../../api/list.ts'
import { askAsUser } from '../../../api/user-api.ts'
import { writeLastKey } from '../../../files/last-key.ts'
import { limitsBody, spendPeriods } from '../../keys/key-limits.ts'
import { reading, tool } from '../tool.ts'

const key = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().describe('The first characters of the key'),
  status: z.string(),
  balance_usd: z.string(),
  created_at: z.number().describe('Unix epoch seconds'),
  last_used_at: z.number().nullable(),
  expires_at: z.number().nullable(),
  allowed_models: z.array(z.string()).nullable(),
  spend_limit_usd: z.string().nullable(),
  spend_limit_period: z.string().nullable(),
}

export const listKeys = tool({
  name: 'list_keys',
  title: 'List API keys',
  description: "The user's API keys with balances and limits. Keys themselves are never shown again.",
  input: {
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().optional().describe('`next_cursor` of an earlier page'),
  },
  output: { keys: z.array(z.looseObject(key)), next_cursor: z.string().nullable() },
  annotations: reading,
  async run(context, { limit, cursor }) {
    const query = { limit: String(limit), cursor }
    const page = await askAsUser<List<Key>>(context, { path: '/api/v1/me/keys', query })
    return { value: { keys: page.data, next_cursor: page.next_cursor } }
  },
})

export const createKey = tool({
  name: 'create_key',
  title: 'Create an API key',
  description:
    'Makes an API key for the user. `raw` is the key itself and is shown only this once: save it at once ' +
    'where the user wants it.',
  input: {
    name: z.string().min(1).describe('What the user calls it'),
    expires: z.string().optional().describe('When it ends: `12h`, `30d`, `8w`, or a date such as 2027-01-31'),
    allowed_models: z.array(z.string()).optional().describe('The only models that it may call; absent: all'),
    spend_limit_usd: z.string().optional().describe('How much it may spend, in USD: `12.50`'),
    spend_limit_period: z.enum(spendPeriods).optional().describe('In what time it may spend that'),
    cache: z
      .boolean()
      .default(false)
      .describe(
        'Whether `chat`, and turnpike on this machine, use it from now on in place of the present one',
      ),
  },
  output: { ...key, raw: z.string().describe('The key itself') },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(context, { name, expires, allowed_models, spend_limit_usd, spend_limit_period, cache }) {
    const limits = {
      expires,
      model: allowed_models ?? [],
      spendLimit: spend_limit_usd,
      spendLimitPeriod: spend_limit_period,
    }
    const created = await askAsUser<CreatedKey>(context, {
      method: 'POST',
      path: '/api/v1/me/keys',
      body: { name, ...limitsBody(limits, context.clock()) },
    })
    if (cache) await writeLastKey(context.directory, created.raw)
    return { value: { ...created } }
  },
})
