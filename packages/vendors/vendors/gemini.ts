import type { ReadFacts } from '../facts/facts.ts'
import type { Vendor } from '../vendor.ts'
import { googleTools } from '../paid-fields/google-tools.ts'

/** Google AI Studio. The key is in a header, not in `?key=`, so that logs of addresses do not contain it. */
export const vendor: Vendor = {
  name: 'gemini',
  title: 'Google (Gemini API)',
  style: 'google',
  format: 'google-generate',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  alsoSpeaks: [{ format: 'google-embed', page: 'https://ai.google.dev/api/embeddings' }],
  // "at most 100 requests can be in one batch"
  batches: { embed: { inputs: 100 } },
  keyHeader: { header: 'x-goog-api-key', prefix: '' },
  takesStreamOptions: false,
  variable: 'GEMINI_API_KEY',
  documentation: 'https://ai.google.dev/api/generate-content',
  paidFields: [googleTools('https://ai.google.dev/gemini-api/docs/pricing')],
  pricedBy: ['google'],
}

export const facts: ReadFacts = async () => (await import('../facts/gemini.ts')).geminiFacts
