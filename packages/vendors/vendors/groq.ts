import { bearer, type Vendor } from '../vendor.ts'

/**
 * Besides `usage`, a stream's last chunk tells it in `x_groq`. "property 'reasoning_content' is unsupported":
 * https://github.com/janhq/jan/issues/8136.
 */
export const groq: Vendor = {
  name: 'groq',
  title: 'Groq',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.groq.com/openai/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  refusesReasoning: true,
  variable: 'GROQ_API_KEY',
  documentation: 'https://console.groq.com/docs/api-reference',
  pricedBy: ['groq'],
}
