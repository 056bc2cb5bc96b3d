import type { Pricing } from '@turnpike/protocol'

/**
 * Prices of the tier `priority`, which the price data lacks: https://openai.com/api-priority-processing (seen
 * 2026-11-22). The tier does not serve long prompts. Models that are not listed here do not have it.
 */
export const openaiServiceTiers: Record<string, NonNullable<Pricing['service_tiers']>> = {
  'gpt-4o': priority('0.00000425', '0.000002125', '0.000017'),
  'gpt-4o-2024-05-13': priority('0.00000875', '0.00000875', '0.00002625'),
  'gpt-4o-mini': priority('0.00000025', '0.000000125', '0.000001'),
  'gpt-4.1': priority('0.0000035', '0.000000875', '0.000014'),
  'gpt-4.1-mini': priority('0.0000007', '0.000000175', '0.0000028'),
  'gpt-4.1-nano': priority('0.0000002', '0.00000005', '0.0000008'),
  o3: priority('0.0000035', '0.000000875', '0.000014'),
  'o4-mini': priority('0.000002', '0.0000005', '0.000008'),
  'gpt-5': priority('0.0000025', '0.00000025', '0.00002'),
  'gpt-5-mini': priority('0.00000045', '0.000000045', '0.0000036'),
  'gpt-5.1': priority('0.0000025', '0.00000025', '0.00002'),
  'gpt-5.2': priority('0.0000035', '0.00000035', '0.000028'),
  'gpt-5.4': priority('0.000005', '0.0000005', '0.00003'),
  'gpt-5.4-mini': priority('0.0000015', '0.00000015', '0.000009'),
  'gpt-5.5': priority('0.0000125', '0.00000125', '0.000075'),
}

function priority(
  prompt: string,
  cacheRead: string,
  completion: string,
): NonNullable<Pricing['service_tiers']> {
  return { priority: { prompt, completion, input_cache_read: cacheRead } }
}
