import { bearer, type Vendor } from '../vendor.ts'

/** A router: `<model>:<provider>` names who serves, and only then is the price known. */
export const huggingface: Vendor = {
  name: 'huggingface',
  title: 'Hugging Face',
  style: 'openai',
  format: 'openai-chat',
  baseUrl: 'https://router.huggingface.co/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'HF_TOKEN',
  documentation: 'https://huggingface.co/docs/inference-providers/tasks/chat-completion',
  paidFields: [],
  pricedBy: [],
  pricedByServer: 'huggingface_',
}
