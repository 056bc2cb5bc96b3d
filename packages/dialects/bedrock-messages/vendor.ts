import { anthropicMessages } from '../anthropic-messages/vendor.ts'
import { loadEventStream } from '../event-stream/codec.ts'
import { decodeAwsError } from '../vendor-errors/aws-errors.ts'
import type { GenerateFormat } from '../vendor.ts'
import { withoutPlatform } from './vendor/answer.ts'
import { invokeEnvelope } from './vendor/envelope.ts'
import { InvokeEvents } from './vendor/events.ts'

/**
 * Claude at Amazon Bedrock in Anthropic's own format: the body of Messages passes through `InvokeModel`, and
 * its events arrive in AWS's frames.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
 */
export const bedrockMessages: GenerateFormat = {
  ...anthropicMessages,
  name: 'bedrock-messages',
  // The version of Anthropic's API is in the body here.
  headers: {},
  passes: 'anthropic-messages',
  callers: 'anthropic-messages',
  streamType: 'application/vnd.amazon.eventstream',
  load: loadEventStream,
  envelope: invokeEnvelope,
  readsAddress: () => false,
  operations: {
    generate: {
      ...anthropicMessages.operations.generate,
      path: (model, stream) =>
        `/model/${encodeURIComponent(model)}/invoke${stream ? '-with-response-stream' : ''}`,
      events: (listener) => new InvokeEvents(listener),
      readBody: withoutPlatform,
    },
  },
  decodeError: decodeAwsError,
}
