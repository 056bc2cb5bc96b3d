import * as z from 'zod'
import { routeFor } from '../../../api/routing.ts'
import { reading, tool } from '../tool.ts'
import { messagesOf, promptInput } from './prompt.ts'

export const route = tool({
  name: 'route',
  title: 'Explain routing',
  description: 'Which model auto-routing would pick, and why. Calls no model and costs nothing.',
  input: promptInput,
  output: {
    model: z.string().describe('What would be asked'),
    tier: z.string().describe('How hard it seems'),
  },
  annotations: reading,
  async run(context, prompt) {
    return { value: { ...(await routeFor(context, { messages: messagesOf(prompt) })) } }
  },
})
