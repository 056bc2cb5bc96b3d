import type { ReadFacts } from '../facts/facts.ts'
import { bearer, type Vendor } from '../vendor.ts'
import { googleTools } from '../google-tools.ts'

const below = 'v1/projects/{project}/locations/{region}/publishers/google'

/** The same format as Gemini's, below a project's own address and with an access token. */
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
  ],
  keyHeader: bearer,
  identity: 'google',
  headers: {},
  takesStreamOptions: false,
  variable: 'VERTEX_ACCESS_TOKEN',
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  paidFields: [googleTools('https://cloud.google.com/vertex-ai/generative-ai/pricing')],
  pricedBy: ['google'],
}

export const facts: ReadFacts = async () => (await import('../facts/vertex.ts')).vertexFacts
