import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { generateFields } from './vendor/fields.ts'
import { isOwnFile } from './vendor/contents/media.ts'
import { formatRequest } from './vendor/request.ts'
import { GenerateDecoder } from './vendor/stream.ts'

/** As server-sent events; without the parameter it would be one JSON array. */
const streamMethod = 'streamGenerateContent?alt=sse'

/**
 * Google's own format for Gemini (https://ai.google.dev/api/generate-content), the same behind AI Studio's
 * base URL (…/v1beta) and behind Vertex's (…/projects/{project}/locations/{location}/publishers/google).
 */
export const googleGenerate: GenerateFormat = {
  name: 'google-generate',
  readsAddress: (_kind, url) => isOwnFile(url),
  operations: {
    generate: {
      fields: generateFields,
      path: (model, stream) =>
        `/models/${encodeURIComponent(model)}:${stream ? streamMethod : 'generateContent'}`,
      formatRequest,
      // Not all of its models can be kept from it, and what is shown is a summary.
      mayReasonUnseen: () => true,
      decoder: () => new GenerateDecoder(),
      decodeResponse,
    },
  },
  decodeError,
}
