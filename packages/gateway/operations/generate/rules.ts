import {
  errorOfBody,
  generateFieldRules,
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
import { findBilledUnits } from './billed-units.ts'
import { choicesGenerated, estimate, inputs, defaultOutputBound } from './estimate.ts'
import { mediaOf } from './media.ts'
import { fillMedia, remoteMedia } from './remote-media.ts'
import { adaptTools, hideFromCaller, rewriteMessages, unreadableFields } from './rewrite-messages.ts'
import { services } from './services.ts'
import { inputSeen, quotable } from './texts.ts'

/** Shared, since even an empty list per request takes memory. */
const noMessages: Message[] = []

interface GenerateFormats {
  format: GenerateCaller
  vendorFormat: GenerateFormat
}

/** A model's answer to messages, whole or streamed. */
export const generate: OperationRules<ModelRequest, GenerateCall> = {
  spanName: 'chat',
  expectsOutput: true,
  fieldRules: generateFieldRules,
  prompt: (request) => request,
  estimate,
  defaultOutputBound,
  choices: choicesGenerated,
  mostInputTokens: (request, { contextLength }) => contextLength * inputs(request),
  billedUnits: findBilledUnits,
  texts: inputSeen,
  quotable,
  media: { sizes: mediaOf, remote: remoteMedia, filled: fillMedia },
  proofs: { isIn: holdsProof, at: provenAt, withoutProofs },
  services,
  mayReasonUnseen,
  withBound,
  unread: unreadableFields,
  rewriteMembers: rewriteMessages,
  completeSent: adaptTools,
  leaveOut: hideFromCaller,
  readWhole: ({ format, vendorFormat }: GenerateFormats, body, head) =>
    readWholeAnswer(format, vendorFormat, body.toString('utf8'), head),
  streams: {
    open: ({ format, vendorFormat }: GenerateFormats, head, listener) =>
      openBridge(format, vendorFormat, head, listener),
    errorOfBody: (vendorFormat: GenerateFormat, text) => errorOfBody(vendorFormat, text),
  },
  dropInput(request) {
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
