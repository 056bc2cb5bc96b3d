import type { ReadFacts } from '../facts/facts.ts'
import { bearer, type Vendor } from '../vendor.ts'
import { freeTools } from '../paid-fields/claude-tools.ts'
import { googleTools } from '../paid-fields/google-tools.ts'

const prices = 'https://cloud.google.com/vertex-ai/generative-ai/pricing'
const below = 'v1/projects/{project}/locations/{region}/publishers/google'

/** Gemini's format, at a project's own address and with an access token. */
export const vendor: Vendor = {
  name: 'vertex',
  title: 'Google Cloud Vertex AI',
  style: 'google',
  format: 'google-generate',
  baseUrl: undefined,
  exampleBaseUrl:
    'https://aiplatform.googleapis.com/v1/projects/<project>/locations/global/publishers/google',
  // https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations
  addresses: [
    { regions: /^global$/, url: `https://aiplatform.googleapis.com/${below}` },
    { regions: /^(us|eu)$/, url: `https://aiplatform.{region}.rep.googleapis.com/${below}` },
    { url: `https://{region}-aiplatform.googleapis.com/${below}` },
  ],
  alsoSpeaks: [
    {
      format: 'vertex-messages',
      base: '/publishers/anthropic',
      insteadOf: '/publishers/google',
      page: 'https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai',
    },
    {
      format: 'vertex-mistral',
      base: '/publishers/mistralai',
      insteadOf: '/publishers/google',
      page: 'https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral',
    },
    // Llama and other open models, whose names begin with their makers.
    {
      format: 'openai-chat',
      base: '/endpoints/openapi',
      insteadOf: '/publishers/google',
      quirks: { takesStreamOptions: true, outputBoundField: 'max_tokens' },
      page: 'https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis',
    },
  ],
  keyHeader: bearer,
  identity: 'google',
  takesStreamOptions: false,
  variable: 'VERTEX_ACCESS_TOKEN',
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  paidFields: [
    { ...googleTools(prices), free: { each: { where: { type: [...freeTools, 'computerUse'] } } } },
  ],
  pricedBy: ['google'],
}

export const facts: ReadFacts = async () => (await import('../facts/vertex.ts')).vertexFacts
