import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { generateFields } from './vendor/fields.ts'
import { isOwnFile } from './vendor/contents/media.ts'
import { formatRequest } from './vendor/request.ts'
import { GenerateDecoder } from './vendor/stream.ts'

/** For server-sent events; without the parameter the stream is one JSON array. */
const streamMethod = 'streamGenerateContent?alt=sse'

/**
 * Google's native format for Gemini (https://ai.google.dev/api/generate-content), the same at AI Studio's
 * base URL (…/v1beta) and at Vertex's (…/projects/{project}/locations/{location}/publishers/google).
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
      // Not all of its models can turn reasoning off, and only a summary is shown.
      mayReasonUnseen: () => true,
      decoder: () => new GenerateDecoder(),
      decodeResponse,
    },
  },
  decodeError,
}
