import type {
  EmbedRequest,
  GatewayError,
  ModelRequest,
  ModerateRequest,
  OperationRequest,
  RerankRequest,
  StreamPart,
} from '@turnpike/protocol'
import type { Embeddings } from './embeddings/answer.ts'
import type { EmbedFieldTable } from './embeddings/fields.ts'
import type { ModelTraits } from './model-traits.ts'
import type { Moderation } from './moderations/answer.ts'
import type { ModerateFieldTable } from './moderations/fields.ts'
import type { Ranking } from './rerank/answer.ts'
import type { RerankFieldTable } from './rerank/fields.ts'
import type { AnyFieldTable, FieldTable } from './requests/fields/field-table.ts'
import type { ParsedEvent } from './answers/text-form.ts'
import type { OpenEvents } from './sse/event-parser.ts'
import type { FailedAnswer } from './vendor-errors/decode-error.ts'
import type { VendorQuirks } from './vendor-quirks.ts'

/** Formats for requests for a model's answer. */
export type GenerateFormatName =
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'google-generate'
  | 'mistral-chat'
  | 'mistral-fim'
  | 'deepseek-chat'
  | 'bedrock-converse'
  | 'bedrock-messages'
  | 'vertex-messages'
  | 'vertex-mistral'
  | 'cohere-chat'

/** Formats for embeddings. */
export type EmbedFormatName =
  | 'openai-embeddings'
  | 'google-embed'
  | 'cohere-embed'
  | 'voyage-embeddings'
  | 'mistral-embeddings'
  | 'bedrock-titan'
  | 'bedrock-cohere-embed'

/** Formats for reranking. */
export type RerankFormatName = 'cohere-rerank' | 'jina-rerank' | 'voyage-rerank'

/** Formats for moderations. */
export type ModerateFormatName = 'openai-moderations' | 'mistral-moderations'

export type FormatName = GenerateFormatName | EmbedFormatName | RerankFormatName | ModerateFormatName

/** The vendor's side of a wire format: writes requests, reads answers. The caller's is `CallerFormat`. */
export interface VendorFormat {
  name: FormatName
  /** The format whose callers' extra fields this one accepts, if no caller speaks this one itself. */
  callers?: FormatName
  /** The caller format whose bytes pass to its vendors, if it is not the one with the same name. */
  passes?: FormatName
  /** Headers sent with every call, such as `anthropic-version`. Lower-case names. */
  headers?: Record<string, string>
  /** The media type to accept for streams. Absent: server-sent events. */
  streamType?: string
  /** Loads what is needed before a stream can be read. Absent: nothing. */
  load?(): Promise<void>
  /** How a body must be changed for vendors that take a variant of another format. */
  envelope?: Envelope
  /** The path of the model list, after the base URL. Absent: `/models`. */
  modelsPath?: string
  /** Whether the vendor fetches this URL itself; otherwise the gateway sends it the bytes. */
  readsAddress(kind: MediaKind, url: string): boolean
  /** Tokens that the vendor reads from its cache do not count against its limits per minute. */
  cacheReadsUnlimited?: true
  /** The operations that vendors of this format serve. */
  operations: VendorOperations
  /** The caller's error for a response that was not a success (docs/contract.md, 2). */
  decodeError(answer: FailedAnswer): GatewayError
}

/** How a body changes for a vendor that takes the same format in another envelope. */
export interface Envelope {
  /** Betas that callers request in a header go into the body. */
  betasInBody?: true
  /**
   * The body for the vendor. Only outermost members that must change do.
   * @param betas those that the vendor knows; empty if they are sent as a header
   */
  wrap(body: Buffer, betas: readonly string[]): WrappedBody
}

export interface WrappedBody {
  body: Buffer
  /** Paths of settings that were left out because the vendor would refuse the request for them. */
  leftOut: readonly string[]
}

/** How to call vendors of a format, for each operation that they serve. */
export interface VendorOperations {
  generate?: VendorGenerate
  embed?: VendorEmbed
  rerank?: VendorRerank
  moderate?: VendorModerate
}

/** The operations that callers may request. */
export type ServedOperation = keyof VendorOperations

/** A format for requests for a model's answer. */
export interface GenerateFormat extends VendorFormat {
  name: GenerateFormatName
  operations: { generate: VendorGenerate }
}

/** A format for embeddings. */
export interface EmbedFormat extends VendorFormat {
  name: EmbedFormatName
  operations: { embed: VendorEmbed }
}

/** A format for reranking. */
export interface RerankFormat extends VendorFormat {
  name: RerankFormatName
  operations: { rerank: VendorRerank }
}

/** A format for moderations. */
export interface ModerateFormat extends VendorFormat {
  name: ModerateFormatName
  operations: { moderate: VendorModerate }
}

/**
 * How vendors of this format serve the operation.
 * @throws {Error} if they do not: such a vendor must never be chosen for it
 */
export function operationOf(
  { name, operations }: Pick<VendorFormat, 'name' | 'operations'>,
  operation: ServedOperation,
): VendorOperation {
  const served = operations[operation]
  if (served === undefined) throw new Error(`vendors with the format ${name} do not serve ${operation}`)
  return served
}

/** How a vendor is called for one operation. Plain stateless functions. */
export interface VendorOperation<Request extends OperationRequest = OperationRequest> {
  /** How each field of a request is treated. Enforced before `formatRequest`, and printed in the docs. */
  fields: AnyFieldTable
  /** The vendor refuses a request without a bound on output tokens. */
  requiresOutputBound?: true
  /**
   * The path after the base URL, with its query: `/v1/messages`.
   * @param model the vendor's name for it
   */
  path(model: string, stream: boolean): string
  /**
   * The body to send.
   * @throws {GatewayError} 400 that names the caller's field (`messages[2].content[0].image_url`) if this
   * vendor has no equivalent
   */
  formatRequest(request: Request, target: Target): Record<string, unknown>
  /** Models that refuse to stream and are asked for whole answers. Absent: there are none. */
  whole?: {
    isAllOf(traits: ModelTraits): boolean
    /** Converts a whole answer to the bytes of an equivalent stream. */
    asStream(body: Buffer): Buffer
  }
  /** Maps a field path in the vendor's error to the neutral path. Absent: they are the same, or absent. */
  mapErrorField?(param: string, request: Request): string
}

/** How a vendor generates an answer, and how it is read. Each stream has its own decoder. */
export interface VendorGenerate extends VendorOperation<ModelRequest> {
  fields: FieldTable
  /** The vendor extracts the text of documents itself, whichever model reads them. */
  readsDocuments?: true
  /**
   * Whether the vendor is offered a tool through which it gives its answer, so that text beside the call is
   * not part of the answer. Absent: never.
   */
  answersByTool?(request: ModelRequest, target: Target): boolean
  /**
   * Whether the vendor may bill reasoning that the caller does not see: the model reasons, the request has
   * not turned that off, and it shows at most a summary.
   * @param seen some reasoning was shown, as plain text
   */
  mayReasonUnseen(request: ModelRequest, traits: ModelTraits, seen: boolean): boolean
  /** How its streams are split into events. Absent: they are server-sent events. */
  events?: OpenEvents
  decoder(): StreamDecoder
  /** A whole answer without what the vendor's platform added to it. Absent: it adds nothing. */
  readBody?(body: Record<string, unknown>): Record<string, unknown>
  /**
   * Decodes a whole answer to the same parts as an equivalent stream. An error part if it is not an answer.
   * @param asked what the caller's format needs from the request (`Call.asked`), if it is this format
   */
  decodeResponse(body: unknown, asked?: object): StreamPart[]
}

/** How a vendor is asked for embeddings, and how they are read. */
export interface VendorEmbed extends VendorOperation<EmbedRequest> {
  fields: EmbedFieldTable
  /**
   * Decodes a whole answer to its vectors, in the order of the inputs.
   * @param headers of the response; some vendors report token counts there
   * @throws {GatewayError} the error that the body holds; 502 if it is not an answer
   */
  decode(body: Buffer, request: EmbedRequest, headers?: AnswerHeaders): Embeddings
}

/** Values by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** How a vendor is asked for a ranking, and how it is read. */
export interface VendorRerank extends VendorOperation<RerankRequest> {
  fields: RerankFieldTable
  /** The unit that is billed: input tokens or search units. */
  unit: 'token' | 'search_unit'
  /**
   * Decodes a whole answer to its results, most relevant first.
   * @throws {GatewayError} the error that the body holds; 502 if it does not rank the request's documents
   */
  decode(body: Buffer, request: RerankRequest): Ranking
}

/** How a vendor is asked for a moderation, and how it is read. */
export interface VendorModerate extends VendorOperation<ModerateRequest> {
  fields: ModerateFieldTable
  /**
   * Decodes a whole answer to its results, in the order of the inputs.
   * @throws {GatewayError} the error that the body holds; 502 if it does not moderate every input
   */
  decode(body: Buffer, request: ModerateRequest): Moderation
}

export type MediaKind = 'image' | 'audio' | 'document'

/** The model that a request is written for. */
export interface Target {
  /** The vendor's name for it. */
  model: string
  /** The most output tokens that it generates. */
  maxOutputTokens: number
  /** Request fields that it honours, from the catalog. */
  supportedParameters: readonly string[]
  /** What it accepts, where models of one format differ. */
  traits: ModelTraits
  /** How its vendor differs from others of its format. Absent: no known differences. */
  quirks?: VendorQuirks
}

/** Decodes one streamed answer, event by event. */
export interface StreamDecoder {
  /** Decodes an event whose data is JSON. `event` is its type, `''` if none was sent. */
  push(body: unknown, event: string): StreamPart[]
  /**
   * Decodes an event that contains only a piece of text and has the same form as an earlier one, without
   * building objects from its JSON. Returns undefined if `push` has to decode it. Absent: always.
   * @param data latin1
   * @param event its type, `''` if none was sent
   * @param plain true if the data is known to be ASCII
   */
  readFast?(data: string, event: string, plain: boolean): StreamPart[] | undefined
  /** Learns the form of the event that `push` decoded last, for `readFast`. */
  learn?(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void
  /** Decodes an event that is not JSON: an end marker, or the end of what can be trusted in the answer. */
  pushText(data: string): StreamPart[]
  /** The last event was cut. Absent if a cut answer cannot be complete in this format. */
  markCut?(): void
  /** The upstream closed, or its connection broke. A stream without a finish yields an error part. */
  end(broken?: boolean): StreamPart[]
}
