import {
  errorOfBody,
  generateWords,
  holdsProof,
  openBridge,
  provenAt,
  readWholeAnswer,
  vendorFormats,
  withBound,
  withoutProofs,
  type GenerateCall,
  type GenerateCaller,
  type GenerateFormat,
} from '@turnpike/dialects'
import type { Message, ModelRequest } from '@turnpike/protocol'
import { modelTraits } from '@turnpike/vendors'
import type { Candidate } from '../../candidates/candidate.ts'
import type { OperationRules } from '../rules.ts'
import { billedUnits } from './billed-units.ts'
import { choicesGenerated, estimate, inputs, unnamedBound } from './estimate.ts'
import { mediaOf } from './media.ts'
import { filled, remoteMedia } from './remote-media.ts'
import { completeSent, leaveOut, saidAnew, unread } from './said.ts'
import { services } from './services.ts'
import { inputSeen, quotable } from './texts.ts'

/** One for all: a list of its own takes room, though nothing is in it. */
const noMessages: Message[] = []

interface GenerateFormats {
  format: GenerateCaller
  vendorFormat: GenerateFormat
}

/** An answer of a model to messages, whole or streamed. */
export const generate: OperationRules<ModelRequest, GenerateCall> = {
  spanName: 'chat',
  expectsOutput: true,
  words: generateWords,
  prompt: (request) => request,
  estimate,
  unnamedBound,
  choices: choicesGenerated,
  mostInputTokens: (request, { contextLength }) => contextLength * inputs(request),
  billedUnits,
  texts: inputSeen,
  quotable,
  media: { sizes: mediaOf, remote: remoteMedia, filled },
  proofs: { isIn: holdsProof, at: provenAt, left: withoutProofs },
  services,
  mayReasonUnseen,
  withBound,
  unread,
  saidAnew,
  completeSent,
  leaveOut,
  readWhole: ({ format, vendorFormat }: GenerateFormats, body, head) =>
    readWholeAnswer(format, vendorFormat, body.toString('utf8'), head),
  streams: {
    open: ({ format, vendorFormat }: GenerateFormats, head, listener) =>
      openBridge(format, vendorFormat, head, listener),
    errorOfBody: (vendorFormat: GenerateFormat, text) => errorOfBody(vendorFormat, text),
  },
  letGo(request) {
    request.messages = noMessages
  },
}

/** Whether the vendor may bill reasoning that no caller gets to see. */
function mayReasonUnseen(
  request: ModelRequest,
  { model, upstream, provider }: Candidate,
  seen: boolean,
): boolean {
  if (!model.supportedParameters.includes('reasoning')) return false
  const traits = modelTraits(provider.format, upstream.model)
  const vendor = vendorFormats[provider.format].operations.generate
  return vendor?.mayReasonUnseen(request, traits, seen) === true
}
