import type { TopupSession, TopupState } from '@turnpike/api'
import * as z from 'zod'
import { making, reading, tool } from '../tool.ts'

const session = {
  session_id: z.string(),
  checkout_url: z.string().nullable().describe('Where a person pays; null once it is of no use'),
  amount_usd: z.string(),
  status: z.string().describe('`open`, `paid`, `expired` or `refunded`'),
  expires_at: z.number().describe('Unix epoch seconds: until then it can be paid'),
}

export const topUp = tool({
  name: 'top_up',
  title: 'Begin a top-up',
  description:
    'Makes a checkout session for more credit and answers its address. It never pays: hand the address to ' +
    'the user, who pays in a browser or does not. Never open or pay it yourself.',
  input: {
    amount_usd: z.string().describe('How much, in USD: `25`'),
    key_id: z.string().optional().describe('The key that the credit goes to; absent: the oldest active one'),
  },
  output: session,
  annotations: making,
  scopes: ['topup:write'],
  async run(api, body) {
    const made = await api.ask<TopupSession>({ method: 'POST', path: '/api/v1/topup', body })
    const text = `To pay $${made.amount_usd}, the user opens ${made.checkout_url}`
    return { value: { ...made }, text: [text, JSON.stringify(made)] }
  },
})

export const topUpStatus = tool({
  name: 'top_up_status',
  title: 'Look at a top-up',
  description: 'Whether a top-up that was begun has been paid.',
  input: {
    session_id: z
      .string()
      .regex(/^top_[0-9A-Za-z]{1,40}$/)
      .describe('As `top_up` answered it'),
  },
  output: session,
  annotations: reading,
  scopes: ['topup:write', 'usage:read'],
  async run(api, { session_id: id }) {
    const path = `/api/v1/topup/${encodeURIComponent(id)}`
    return { value: { ...(await api.ask<TopupState>({ path })) } }
  },
})
