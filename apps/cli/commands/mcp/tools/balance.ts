import * as z from 'zod'
import type { Balance } from '../../../api/account.ts'
import { askAsUser } from '../../../api/user-api.ts'
import { reading, tool } from '../tool.ts'

export const balance = tool({
  name: 'balance',
  title: 'Balance',
  description: "The credit that is left on the user's active keys, in USD.",
  input: {},
  output: {
    balance_usd: z.string().describe('On all active keys'),
    currency: z.string(),
    unassigned_usd: z.string().optional().describe('Waiting for the next key that is made'),
  },
  annotations: reading,
  async run(context) {
    return { value: { ...(await askAsUser<Balance>(context, { path: '/api/v1/balance' })) } }
  },
})
