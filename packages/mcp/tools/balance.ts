import type { Balance } from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

export const balance = tool({
  name: 'balance',
  title: 'Balance',
  description: "The credit that is left on the user's active keys, in USD.",
  input: {},
  output: {
    balance_usd: z.string().describe('On all active keys, together'),
    currency: z.string(),
    unassigned_usd: z.string().optional().describe('Not on a key yet; goes to the next key that is created'),
  },
  annotations: reading,
  scopes: ['usage:read'],
  async run(api) {
    return { value: { ...(await api.ask<Balance>({ path: '/api/v1/balance' })) } }
  },
})
