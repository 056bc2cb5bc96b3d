import { bearer, type Vendor } from '../vendor.ts'
import { googleTools } from './google-tools.ts'

/** The same format as Gemini's, below a project's own address and with an access token. */
export const vertex: Vendor = {
  name: 'vertex',
  title: 'Google Cloud Vertex AI',
  style: 'google',
  format: 'google-generate',
  baseUrl: undefined,
  exampleBaseUrl:
    'https://aiplatform.googleapis.com/v1/projects/<project>/locations/global/publishers/google',
  credential: bearer,
  headers: {},
  takesStreamOptions: false,
  variable: 'VERTEX_ACCESS_TOKEN',
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  paidFields: [googleTools('https://cloud.google.com/vertex-ai/generative-ai/pricing')],
  pricedBy: ['google'],
}
