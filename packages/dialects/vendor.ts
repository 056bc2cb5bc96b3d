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

/** Formats in which models are asked for answers. */
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

/** Formats in which vectors are asked for. */
export type EmbedFormatName =
  | 'openai-embeddings'
  | 'google-embed'
  | 'cohere-embed'
  | 'voyage-embeddings'
  | 'mistral-embeddings'
  | 'bedrock-titan'
  | 'bedrock-cohere-embed'

/** Formats in which rankings are asked for. */
export type RerankFormatName = 'cohere-rerank' | 'jina-rerank' | 'voyage-rerank'

/** Formats in which moderations are asked for. */
export type ModerateFormatName = 'openai-moderations' | 'mistral-moderations'

export type FormatName = GenerateFormatName | EmbedFormatName | RerankFormatName | ModerateFormatName

/**
 * A wire format as it is spoken to a vendor: requests out, answers in. The other side, towards callers, is
 * `CallerFormat`.
 */
export interface VendorFormat {
  name: FormatName
  /** Whose callers it serves beside another format of its vendor, where no caller speaks it itself. */
  callers?: FormatName
  /** The caller's format whose bytes pass to its vendors, where that is not the one of its own name. */
  passes?: FormatName
  /** Sent with every call, as `anthropic-version`; lower-case names. */
  headers?: Record<string, string>
  /** The media type of its streams, as they are asked for; absent: server-sent events. */
  streamType?: string
  /** What has to be loaded before a stream can be read; absent: nothing. */
  load?(): Promise<void>
  /** Where a body of the format that it is a variation of differs from what its vendors take. */
  envelope?: Envelope
  /** Where it lists its models, behind the base URL; absent: `/models`. */
  modelsPath?: string
  /** Whether the vendor reads what is at this address itself; else the gateway sends it the bytes. */
  readsAddress(kind: MediaKind, url: string): boolean
  /** What its vendors read from their caches does not count against their limits of tokens a minute. */
  cacheReadsUnlimited?: true
  /** What vendors of this format can be asked for. */
  operations: VendorOperations
  /** An answer that is no success, as the caller gets it (docs/contract.md, 2). */
  decodeError(answer: FailedAnswer): GatewayError
}

/** What becomes of a body on its way to a vendor who takes the same format in another envelope. */
export interface Envelope {
  /** Betas that callers ask for by a header stand in the body there. */
  betasInBody?: true
  /**
   * The body for the vendor; all but the outermost members that have to change stays as it is.
   * @param betas that the vendor knows; empty where they are sent as a header
   */
  wrap(body: Buffer, betas: readonly string[]): WrappedBody
}

export interface WrappedBody {
  body: Buffer
  /** Paths of what the vendor would refuse the request for, and is a setting of how to answer it. */
  leftOut: readonly string[]
}

/** How vendors of a format are asked, for each operation that they serve. */
export interface VendorOperations {
  generate?: VendorGenerate
  embed?: VendorEmbed
  rerank?: VendorRerank
  moderate?: VendorModerate
}

/** The operations that callers may ask for. */
export type ServedOperation = keyof VendorOperations

/** A format in which models are asked for answers. */
export interface GenerateFormat extends VendorFormat {
  name: GenerateFormatName
  operations: { generate: VendorGenerate }
}

/** A format in which vectors are asked for. */
export interface EmbedFormat extends VendorFormat {
  name: EmbedFormatName
  operations: { embed: VendorEmbed }
}

/** A format in which rankings are asked for. */
export interface RerankFormat extends VendorFormat {
  name: RerankFormatName
  operations: { rerank: VendorRerank }
}

/** A format in which moderations are asked for. */
export interface ModerateFormat extends VendorFormat {
  name: ModerateFormatName
  operations: { moderate: VendorModerate }
}

/**
 * How a vendor of this format is asked for it.
 * @throws {Error} it is not: nobody is to be sent what it does not serve
 */
export function operationOf(
  { name, operations }: Pick<VendorFormat, 'name' | 'operations'>,
  operation: ServedOperation,
): VendorOperation {
  const served = operations[operation]
  if (served === undefined) throw new Error(`vendors with the format ${name} do not serve ${operation}`)
  return served
}

/** How a vendor is asked for something, whatever it is. Plain functions without state. */
export interface VendorOperation<Request extends OperationRequest = OperationRequest> {
  /**
   * What becomes of each field of a caller's request: enforced before `formatRequest`, and printed as docs.
   */
  fields: AnyFieldTable
  /** True: a request without a bound of output tokens is refused there. */
  requiresOutputBound?: true
  /**
   * What stands behind the base URL, query included: `/v1/messages`.
   * @param model its name at the vendor
   */
  path(model: string, stream: boolean): string
  /**
   * The body to send.
   * @throws {GatewayError} 400 that names the caller's field (`messages[2].content[0].image_url`) where it
   * cannot be said to this vendor
   */
  formatRequest(request: Request, target: Target): Record<string, unknown>
  /** Models that refuse to stream, and are asked for whole answers; absent: there are none. */
  whole?: {
    isAllOf(traits: ModelTraits): boolean
    /** A whole answer as the bytes of a stream that says it. */
    asStream(body: Buffer): Buffer
  }
  /**
   * The path in our words of a field that the vendor's error names, of a request that it was sent in its own.
   * Absent: it names none, or as we do.
   */
  mapErrorField?(param: string, request: Request): string
}

/** How a vendor is asked for an answer of a model, and how that is read: each stream has its own decoder. */
export interface VendorGenerate extends VendorOperation<ModelRequest> {
  fields: FieldTable
  /** True: the vendor makes text of documents itself, whichever of its models is to read them. */
  readsDocuments?: true
  /**
   * Whether the vendor is offered a tool to give its answer by, so that texts beside that are none of it.
   * Absent: it never is.
   */
  answersByTool?(request: ModelRequest, target: Target): boolean
  /**
   * Whether the vendor may bill reasoning that no caller gets to see, of a model that reasons: the request
   * has not turned that off, and what is shown of it, if anything, is no more than a summary.
   * @param seen some reasoning was shown, as plain text
   */
  mayReasonUnseen(request: ModelRequest, traits: ModelTraits, seen: boolean): boolean
  /** How its streams are cut into events; absent: they are server-sent events. */
  events?: OpenEvents
  decoder(): StreamDecoder
  /** A whole answer without what its platform put into it; absent: there is nothing such. */
  readBody?(body: Record<string, unknown>): Record<string, unknown>
  /**
   * The parts of a whole answer, the same as those of a stream that says it; an error part where it is none.
   * @param asked what the caller's format needs of the request (`Call.asked`), where it is this one
   */
  decodeResponse(body: unknown, asked?: object): StreamPart[]
}

/** How a vendor is asked for vectors, and how they are read. */
export interface VendorEmbed extends VendorOperation<EmbedRequest> {
  fields: EmbedFieldTable
  /**
   * A whole answer as its vectors, in the order of the inputs.
   * @param headers of the answer, in which some count the tokens
   * @throws {GatewayError} the error that it holds; 502 where it is no answer
   */
  decode(body: Buffer, request: EmbedRequest, headers?: AnswerHeaders): Embeddings
}

/** By lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** How a vendor is asked for a ranking, and how it is read. */
export interface VendorRerank extends VendorOperation<RerankRequest> {
  fields: RerankFieldTable
  /** What is billed: tokens of the input, or search units. */
  unit: 'token' | 'search_unit'
  /**
   * A whole answer as its results, the most relevant first.
   * @throws {GatewayError} the error that it holds; 502 where it is no ranking of the request's documents
   */
  decode(body: Buffer, request: RerankRequest): Ranking
}

/** How a vendor is asked for a moderation, and how it is read. */
export interface VendorModerate extends VendorOperation<ModerateRequest> {
  fields: ModerateFieldTable
  /**
   * A whole answer as its results, in the order of the inputs.
   * @throws {GatewayError} the error that it holds; 502 where it is no moderation of all inputs
   */
  decode(body: Buffer, request: ModerateRequest): Moderation
}

export type MediaKind = 'image' | 'audio' | 'document'

/** The model that a request is said to. */
export interface Target {
  /** Its name at the vendor. */
  model: string
  /** Output tokens that it gives at most. */
  maxOutputTokens: number
  /** Request fields that it honours, as in the catalog. */
  supportedParameters: readonly string[]
  /** What it takes, where models of one format differ. */
  traits: ModelTraits
  /** Where its vendor differs from others of its format; absent: in nothing that is known. */
  quirks?: VendorQuirks
}

/** One streamed answer, understood event by event. */
export interface StreamDecoder {
  /** An event whose data is JSON; `event` is its type, `''` where the sender gave none. */
  push(body: unknown, event: string): StreamPart[]
  /**
   * An event that says a piece of text and no more, as is known by those before it: understood without making
   * objects of it. Undefined: `push` has to understand it. Absent: always.
   * @param data latin1
   * @param event its type, `''` where the sender gave none
   * @param plain true where the data is ASCII for sure
   */
  readFast?(data: string, event: string, plain: boolean): StreamPart[] | undefined
  /** Learns from the event that `push` was the last to understand, for `read`. */
  learn?(said: ParsedEvent, parts: readonly StreamPart[]): void
  /** An event whose data is no JSON: an end marker, or an answer that cannot be trusted any further. */
  pushText(data: string): StreamPart[]
  /** The last event was cut; absent where such an answer cannot have come to its end. */
  markCut?(): void
  /**
   * The upstream closed, or its connection broke. A stream without its finish is an error part, never a clean
   * end.
   */
  end(broken?: boolean): StreamPart[]
}
