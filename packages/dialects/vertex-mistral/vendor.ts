import { mistralChat } from '../mistral-chat/vendor.ts'
import type { GenerateFormat } from '../vendor.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Mistral's models at Google Cloud: its own chat completions through `rawPredict`, below
 * `…/projects/<project>/locations/<location>/publishers/mistralai`.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral
 */
export const vertexMistral: GenerateFormat = {
  ...mistralChat,
  name: 'vertex-mistral',
  operations: {
    generate: {
      ...mistralChat.operations.generate,
      path: (model, stream) =>
        `/models/${encodeURIComponent(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
      formatRequest,
    },
  },
}
