import type { VendorDialect } from '../dialect.ts'
import { decodeResponse, GenerateDecoder } from './decoder.ts'
import { decodeGoogleError } from './error.ts'
import { generateFields } from './fields.ts'
import { formatRequest } from './format-request.ts'
import { isOwnFile } from './media.ts'

/**
 * Google's own format for Gemini (https://ai.google.dev/api/generate-content), the same behind AI Studio's
 * base URL (…/v1beta) and behind Vertex's (…/projects/{project}/locations/{location}/publishers/google).
 */
export const googleGenerate: VendorDialect = {
  name: 'google-generate',
  fields: generateFields,
  headers: {},
  readsAddress: (_kind, url) => isOwnFile(url),
  path: ({ model }, stream) =>
    `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  formatRequest,
  decoder: () => new GenerateDecoder(),
  decodeResponse,
  decodeError: decodeGoogleError,
}
