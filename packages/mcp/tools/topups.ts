import type { Topup } from '@turnpike/api'
import * as z from 'zod'
import { making, reading, tool } from '../tool.ts'

const session = {
  session_id: z.string(),
  checkout_url: z.string().nullable().describe('Where a person pays; null once it can no longer be paid'),
  amount_usd: z.string(),
  status: z.string().describe('`open`, `paid`, `expired` or `refunded`'),
  expires_at: z.number().describe('Unix epoch seconds: it can be paid until then'),
}

export const topUp = tool({
  name: 'top_up',
  title: 'Start a top-up',
  description:
    'Creates a checkout session for more credit and returns its URL. It never pays: give the URL to ' +
    'the user, who decides whether to pay in a browser. Never open or pay it yourself.',
  input: {
    amount_usd: z.string().describe('How much, in USD: `25`'),
    key_id: z.string().optional().describe('The key that gets the credit; default: the oldest active one'),
  },
  output: session,
  annotations: making,
  scopes: ['topup:write'],
  async run(api, body) {
    const made = await api.ask<Topup>({ method: 'POST', path: '/api/v1/topup', body })
    const { checkout_url: url, amount_usd: amount, status } = made
    const text = url === null ? `The checkout is ${status}.` : `To pay $${amount}, the user must open ${url}`
    return { value: { ...made }, text: [text, JSON.stringify(made)] }
  },
})

export const topUpStatus = tool({
  name: 'top_up_status',
  title: 'Check a top-up',
  description: 'Whether a top-up has been paid.',
  input: {
    session_id: z
      .string()
      .regex(/^top_[0-9A-Za-z]{1,40}$/)
      .describe('As returned by `top_up`'),
  },
  output: session,
  annotations: reading,
  scopes: ['topup:write', 'usage:read'],
  async run(api, { session_id: id }) {
    const path = `/api/v1/topup/${encodeURIComponent(id)}`
    return { value: { ...(await api.ask<Topup>({ path })) } }
  },
})
