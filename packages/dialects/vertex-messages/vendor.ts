import { anthropicMessages } from '../anthropic-messages/vendor.ts'
import type { GenerateFormat } from '../vendor.ts'
import { rawPredictEnvelope } from './vendor/envelope.ts'

/**
 * Claude at Google Cloud in Anthropic's own format: the body of Messages passes through `rawPredict`, below
 * `…/projects/<project>/locations/<location>/publishers/anthropic`.
 * https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai
 */
export const vertexMessages: GenerateFormat = {
  ...anthropicMessages,
  name: 'vertex-messages',
  // The version of Anthropic's API is in the body here.
  headers: {},
  passes: 'anthropic-messages',
  callers: 'anthropic-messages',
  envelope: rawPredictEnvelope,
  readsAddress: () => false,
  operations: {
    generate: {
      ...anthropicMessages.operations.generate,
      path: (model, stream) =>
        `/models/${encodeURIComponent(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
    },
  },
}
