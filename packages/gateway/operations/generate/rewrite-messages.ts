import {
  fieldsOfMedia,
  type BridgeHead,
  type GenerateCall,
  type GeneratePassThrough,
  type MediaKind,
  type SentRequest,
  type VendorGenerate,
} from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'
import { targetOf } from '../../candidates/target.ts'

const modalityOf = { image: 'image', audio: 'audio', document: 'file' } as const
const mediaKinds = ['image', 'audio', 'document'] as const
const nothing: ReadonlySet<string> = new Set()

/** The fields of media that the model is known not to support. */
export function unreadableFields(
  { model: { modalities, isUnknown } }: Candidate,
  { readsDocuments }: VendorGenerate,
): ReadonlySet<string> {
  if (isUnknown === true) return nothing
  const kinds: MediaKind[] = mediaKinds.filter(
    (kind) =>
      !modalities.input.includes(modalityOf[kind]) && !(kind === 'document' && readsDocuments === true),
  )
  return kinds.length === 0 ? nothing : fieldsOfMedia(kinds)
}

/**
 * Writes the messages as the gateway understood them, with a sentence instead of each part that was left out.
 */
export function rewriteMessages(
  request: ModelRequest,
  candidate: Candidate,
  { conversation }: GeneratePassThrough,
  vendor: VendorGenerate,
): ReadonlyMap<string, string | undefined> {
  const bare: ModelRequest = {
    ...request,
    tools: [],
    toolChoice: undefined,
    output: undefined,
    reasoning: undefined,
    extensions: {},
  }
  const body = vendor.formatRequest(bare, targetOf(candidate))
  return new Map(
    conversation.map((name) => [name, body[name] === undefined ? undefined : JSON.stringify(body[name])]),
  )
}

/** Rewrites the tools if some must differ from the original, and removes searches that no price covers. */
export function adaptTools(sent: SentRequest, { tools }: ModelRequest, unpaid: readonly string[]): void {
  sent.withoutSearch = unpaid.length > 0
  sent.tools = tools === sent.call.request.tools ? undefined : tools
}

/** Marks which parts of this vendor's answer to hide from the caller. */
export function hideFromCaller(
  head: BridgeHead,
  { request, hidesReasoning }: GenerateCall,
  candidate: Candidate,
  vendor: VendorGenerate,
): void {
  head.reasoningHidden = request.reasoning?.hidden === true || hidesReasoning === true
  if (request.parallelToolCalls === false) head.oneCall = true
  if (request.output !== undefined && vendor.answersByTool?.(request, targetOf(candidate)) === true)
    head.answerAlone = true
}
