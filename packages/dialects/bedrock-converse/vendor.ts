import { loadEventStream } from '../event-stream/codec.ts'
import { EventStreamParser } from '../event-stream/parser.ts'
import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { converseFields } from './vendor/fields.ts'
import { answersByTool, formatRequest } from './vendor/request.ts'
import { ConverseDecoder } from './vendor/stream.ts'
import { mayReasonUnseen } from './vendor/unseen-reasoning.ts'

/**
 * Amazon Bedrock's own format for models of all makers
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html), at
 * `https://bedrock-runtime.<region>.amazonaws.com`.
 */
export const bedrockConverse: GenerateFormat = {
  name: 'bedrock-converse',
  streamType: 'application/vnd.amazon.eventstream',
  load: loadEventStream,
  readsAddress: () => false,
  operations: {
    generate: {
      fields: converseFields,
      // Without a bound, AWS reserves quota for the model's longest answer.
      requiresOutputBound: true,
      path: (model, stream) => `/model/${encodeURIComponent(model)}/converse${stream ? '-stream' : ''}`,
      formatRequest,
      answersByTool,
      mayReasonUnseen,
      events: (listener) => new EventStreamParser(listener),
      decoder: () => new ConverseDecoder(),
      decodeResponse,
    },
  },
  decodeError,
}
