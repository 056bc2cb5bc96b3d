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
  project_id: z.string().nullish().describe('Its project'),
  draws_on: z.string().nullish().describe('The key whose credit this key uses; null: its own'),
}

export const listKeys = tool({
  name: 'list_keys',
  title: 'List API keys',
  description: "The user's API keys with balances and limits. The keys themselves are never shown again.",
  input: {
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().optional().describe('`next_cursor` of the previous page'),
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
    'Creates an API key for the user. `raw` is the key itself and is shown only once: save it at once ' +
    "where the user wants it, and nowhere else. It uses the account's credit unless `draws_on` says " +
    'otherwise. Anyone who has it can spend the user’s credit, so never put it in a conversation, log or ' +
    'repository. Give it a spend limit unless the user says otherwise.',
  input: {
    name: z.string().min(1).describe('A name for it'),
    expires: z
      .string()
      .optional()
      .describe('When it expires: `12h`, `30d`, `8w`, or a date such as 2027-01-31'),
    allowed_models: z.array(z.string()).optional().describe('Models that it may call; default: all'),
    spend_limit_usd: z.string().optional().describe('How much it may spend, in USD: `12.50`'),
    spend_limit_period: z.enum(spendPeriods).optional().describe('Period of the spend limit'),
    project_id: z.string().optional().describe('Its project: `prj_…`'),
    draws_on: z
      .string()
      .nullable()
      .optional()
      .describe('Id of the key whose credit it uses; null: its own (none yet); default: the account’s'),
  },
  output: { ...key, raw: z.string().describe('The key itself: a secret') },
  annotations: making,
  scopes: ['keys:write'],
  async run(api, { name, expires, allowed_models: models, ...spendLimit }) {
    const body = {
      name,
      ...(expires !== undefined && { expires_at: requireExpiry(expires, api.clock()) }),
      ...(models !== undefined && { allowed_models: models }),
      ...spendLimit,
    }
    const created = await api.ask<CreatedKey>({ method: 'POST', path: '/api/v1/me/keys', body })
    return { value: { ...created } }
  },
})

function requireExpiry(expires: string, nowMs: number): number {
  const expiry = expiryOf(expires, nowMs)
  if (expiry !== undefined) return expiry
  const expected = 'expected a duration such as 30d, or a future date such as 2027-01-31'
  throw new ToolRefusal(`\`expires\`: ${expected}, got "${expires.slice(0, 100)}".`, 'expires')
}
