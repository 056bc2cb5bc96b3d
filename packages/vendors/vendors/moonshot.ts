import type { ReadFacts } from '../facts/facts.ts'
import { ownTools } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * In China the address is `https://api.moonshot.cn/v1`, with separate keys and prices. It does not support
 * the role `developer`: https://github.com/openclaw/openclaw/issues/8579.
 */
export const vendor: Vendor = {
  name: 'moonshot',
  title: 'Moonshot AI',
  ...openaiCompatible,
  baseUrl: 'https://api.moonshot.ai/v1',
  takesStreamOptions: true,
  refusesDeveloper: true,
  variable: 'MOONSHOT_API_KEY',
  documentation: 'https://platform.kimi.ai/docs/api/chat',
  paidFields: [ownTools('https://platform.kimi.ai/docs/pricing/tools')],
  otherHosts: /^api\.moonshot\.cn$/,
  pricedBy: ['moonshotai'],
}

export const facts: ReadFacts = async () => (await import('../facts/moonshot.ts')).moonshotFacts
