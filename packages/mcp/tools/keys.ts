import { expiryOf, spendPeriods, type CreatedKey, type Key, type List } from '@turnpike/api'
import * as z from 'zod'
import { making, reading, tool } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'

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
  project_id: z.string().nullish().describe('The project that it is in'),
  draws_on: z.string().nullish().describe('The key whose credit it uses; null: its own'),
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
  scopes: ['usage:read', 'keys:write'],
  async run(api, { limit, cursor }) {
    const query = { limit: String(limit), cursor }
    const page = await api.ask<List<Key>>({ path: '/api/v1/me/keys', query })
    return { value: { keys: page.data, next_cursor: page.next_cursor } }
  },
})

export const createKey = tool({
  name: 'create_key',
  title: 'Create an API key',
  description:
    'Makes an API key for the user. `raw` is the key itself and is shown only this once: save it at once ' +
    'where the user wants it, and nowhere else. It uses the credit of the account unless `draws_on` says ' +
    'otherwise. Whoever has it spends the user’s credit: it belongs in no conversation, log or ' +
    'repository. Give it a spend limit where the user did not say otherwise.',
  input: {
    name: z.string().min(1).describe('What the user calls it'),
    expires: z.string().optional().describe('When it ends: `12h`, `30d`, `8w`, or a date such as 2027-01-31'),
    allowed_models: z.array(z.string()).optional().describe('The only models that it may call; absent: all'),
    spend_limit_usd: z.string().optional().describe('How much it may spend, in USD: `12.50`'),
    spend_limit_period: z.enum(spendPeriods).optional().describe('In what time it may spend that'),
    project_id: z.string().optional().describe('The project that it is in: `prj_…`'),
    draws_on: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The id of the key whose credit it uses; null: its own, none at first; absent: the account’s',
      ),
  },
  output: { ...key, raw: z.string().describe('The key itself: a secret') },
  annotations: making,
  scopes: ['keys:write'],
  async run(api, { name, expires, allowed_models: models, ...spendLimit }) {
    const body = {
      name,
      ...(expires !== undefined && { expires_at: requiredExpiry(expires, api.clock()) }),
      ...(models !== undefined && { allowed_models: models }),
      ...spendLimit,
    }
    const created = await api.ask<CreatedKey>({ method: 'POST', path: '/api/v1/me/keys', body })
    return { value: { ...created } }
  },
})

function requiredExpiry(expires: string, nowMs: number): number {
  const expiry = expiryOf(expires, nowMs)
  if (expiry !== undefined) return expiry
  const expected = 'expected a span such as 30d, or a date to come such as 2027-01-31'
  throw new ToolRefusal(`\`expires\`: ${expected}, got "${expires.slice(0, 100)}".`, 'expires')
}
