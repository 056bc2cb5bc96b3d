import type { ReadFacts } from '../facts/facts.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/** A router: `<model>:<provider>` names the serving provider, and only then is the price known. */
export const vendor: Vendor = {
  name: 'huggingface',
  title: 'Hugging Face',
  ...openaiCompatible,
  baseUrl: 'https://router.huggingface.co/v1',
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'HF_TOKEN',
  documentation: 'https://huggingface.co/docs/inference-providers/tasks/chat-completion',
  paidFields: [],
  pricedBy: [],
  pricedByServer: 'huggingface_',
}

export const facts: ReadFacts = async () => (await import('../facts/huggingface.ts')).huggingfaceFacts
