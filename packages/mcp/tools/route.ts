import type { RouteDecision } from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'
import { messagesOf, promptInput } from './prompt.ts'

export const route = tool({
  name: 'route',
  title: 'Explain routing',
  description: 'Which model auto-routing would pick, and why. Calls no model and costs nothing.',
  input: promptInput,
  output: {
    model: z.string().describe('The prompt to route'),
    tier: z.string().describe('Estimated difficulty'),
  },
  annotations: reading,
  scopes: ['usage:read', 'chat'],
  async run(api, prompt) {
    const body = { model: 'turnpike/auto', messages: messagesOf(prompt) }
    return {
      value: { ...(await api.ask<RouteDecision>({ method: 'POST', path: '/api/v1/route', body })) },
    }
  },
})
