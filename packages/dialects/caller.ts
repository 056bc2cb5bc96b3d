import type {
  EmbedRequest,
  Endpoint,
  GatewayError,
  ModelResponse,
  ModerateRequest,
  RerankRequest,
  StreamPart,
  Tool,
  Usage,
} from '@turnpike/protocol'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from './bridge.ts'
import type { Call, GenerateCall } from './call.ts'
import type { Embeddings } from './embeddings/answer.ts'
import type { KeptFormat, Keeping } from './kept-answers.ts'
import type { Member } from './json/members.ts'
import type { Names } from './json/names.ts'
import type { Moderation } from './moderations/answer.ts'
import type { Ranking } from './rerank/answer.ts'
import type { OpenEvents } from './sse/event-parser.ts'
import type { VendorQuirks } from './vendor-quirks.ts'
import type {
  EmbedFormatName,
  FormatName,
  GenerateFormatName,
  ModerateFormatName,
  RerankFormatName,
  ServedOperation,
  VendorFormat,
} from './vendor.ts'

/**
 * The caller's side of a wire format: reads requests, writes answers and errors. Plain stateless functions,
 * except for the encoder, which each stream has its own of. The vendor's side is `VendorFormat`. Types for
 * single operations extend this one.
 */
export interface CallerFormat {
  name: FormatName
  /** The endpoint's name in usage rows. */
  endpoint: Endpoint
  /** The operation that its requests ask for. */
  operation: ServedOperation
  /** The path that it is served at, such as `/v1/chat/completions`. */
  path: string
  /** Prefix of the identifiers of its answers, such as `chatcmpl-`. */
  idPrefix: string
  /** What the body must be, for the error about JSON of another kind. */
  bodyExpected: string
  /**
   * Checks the headers before the body is read. Absent: any headers are accepted.
   * @throws {GatewayError} 400 that names the header
   */
  requireHeaders?(head: { header(name: string): string | undefined }): void
  /** Members of the body that the gateway acts on. Each has one spelling and may occur only once. */
  names: Names
  /** Reads what the path says about a request. Absent: the body says everything. */
  parseAddress?(path: string): AddressedTo
  /**
   * Parses the body.
   * @param to as `parseAddress` returned it
   * @param keeping absent: no answers are kept
   * @throws {GatewayError} 400 that names the first wrong field
   */
  parse(body: object, to?: AddressedTo, keeping?: Keeping): Call
  /**
   * Maps a path in an error to the caller's path for the same field. The input uses the names of chat
   * completions, as all code here does. Absent: the caller uses the same names.
   * @param body parsed; undefined if it could not be parsed
   */
  fieldPath?(param: string, body: object | undefined): string
  /** Headers in which the clients say what a request belongs to; each becomes a tag. Absent: none. */
  attribution?: readonly Attribution[]
  /** The body of an error response. */
  formatError(error: GatewayError, requestId: string): object
  errorStatus(error: GatewayError): number
  /** Headers that this format's clients expect on every answer, besides `x-request-id`. */
  answerHeaders(requestId: string): Record<string, string> | undefined
  /** Whose header names report the caller's remaining limits. */
  rateLimitStyle: 'openai' | 'anthropic'
  /** Absent: its answers are never streamed. */
  streams?: StreamForm
  /** Used if the vendor speaks this format too: bytes pass, except for what must change. Absent: never. */
  passThrough?: PassThrough
  /** How callers read kept answers and continue from them. Absent: answers are not kept. */
  kept?: KeptFormat
  /** Other paths that its callers use, for requests of their own kind. Absent: none. */
  further?: readonly CallerFormat[]
  /** Where the tokens of a request are counted instead of answered. Absent: nowhere. */
  counting?: TokenCounting
}

/** A format for requests for a model's answer. */
export interface GenerateCaller extends CallerFormat {
  name: GenerateFormatName
  operation: 'generate'
  parse(body: object, to?: AddressedTo, keeping?: Keeping): GenerateCall
  streams: StreamForm
  /** Writes a whole answer. Its usage is added once it is known. */
  formatResponse(response: ModelResponse, head: BridgeHead): FormattedAnswer
  passThrough?: GeneratePassThrough
  further?: readonly GenerateCaller[]
}

/** A format for embedding requests. */
export interface EmbedCaller extends CallerFormat {
  name: EmbedFormatName
  operation: 'embed'
  parse(body: object): Call<EmbedRequest>
  /**
   * Writes an answer that a vendor gave in another format, or in another encoding than the caller reads.
   * @throws {GatewayError} 502 if a vector cannot be written in the requested encoding
   */
  formatEmbeddings(embeddings: Embeddings, head: BridgeHead, request: EmbedRequest): EmbedAnswer
  passThrough?: EmbedPassThrough
}

/** A format for rerank requests. */
export interface RerankCaller extends CallerFormat {
  name: RerankFormatName
  operation: 'rerank'
  parse(body: object): Call<RerankRequest>
  /** Writes an answer that a vendor gave in another format. */
  formatRanking(ranking: Ranking, head: BridgeHead, request: RerankRequest): FormattedAnswer
  passThrough?: RerankPassThrough
}

/** A format for moderation requests. */
export interface ModerateCaller extends CallerFormat {
  name: ModerateFormatName
  operation: 'moderate'
  parse(body: object): Call<ModerateRequest>
  /** Writes an answer that a vendor gave in another format. */
  formatModeration(moderation: Moderation, head: BridgeHead): FormattedAnswer
  passThrough?: ModeratePassThrough
}

/** Writes the caller's whole answer once its usage is known. */
export type EmbedAnswer = (usage: Usage | undefined, cost: Cost) => Buffer

/** How a format writes a streamed answer. */
export interface StreamForm {
  encoder(head: BridgeHead): StreamEncoder
  /** The media type of its streams. */
  type: string
  /** An event or comment without content, sent so that a silent stream is not mistaken for a dead one. */
  keepAlive: string
}

/** A token count takes the same request as an answer, without the fields that only an answer needs. */
export interface TokenCounting {
  /** The style of the vendors that count tokens; others of the format mostly do not. Absent: none do. */
  style?: string
  /** Body members that a vendor accepts for a count. Absent: all members of a request for an answer. */
  members?: ReadonlySet<string>
  /** The path that it is served at, such as `/v1/messages/count_tokens`. The vendor's path is the same. */
  path: string
  /** Overrides the format's own `bodyExpected`. */
  bodyExpected?: string
  parse?(body: object, to?: AddressedTo, keeping?: Keeping): Call
  formatCount(tokens: number): object
}

/** What a request's path says about it. */
export interface AddressedTo {
  model: string
  stream: boolean
}

/** `x-claude-code-session-id: 6d4c…` is the tag `session:6d4c…`. */
export interface Attribution {
  /** In lower case. */
  header: string
  /** Prefix of the tag, with the colon. */
  prefix: string
}

/** Writes the caller's whole answer once its usage is known; without usage if none was reported. */
export type FormattedAnswer = (usage: Usage | undefined, cost: Cost) => object

/** Encodes a streamed answer in a caller's format, part by part. All text is complete events, in latin1. */
export interface StreamEncoder {
  /** The events for this part; `''` if the format has none. */
  write(part: StreamPart): string
  /** The last events of a complete answer, with usage and cost if the caller gets them. */
  closing(usage: Usage | undefined, cost: Cost): string
  /** The last event of an answer that broke off. */
  failing(error: GatewayError, requestId: string): string
}

/** The path from a format to itself. */
export interface PassThrough {
  /** The caller's headers that go to the vendor unchanged, such as `anthropic-beta`. Lower-case names. */
  headers: readonly string[]
  /**
   * Follows the vendor's base URL instead of its format's own path. Vendors of other formats have no such
   * endpoint and are not called. Absent: they are.
   */
  path?: string
  /** The body for the vendor: the caller's own bytes, except for what must change. */
  spliceRequest(sent: SentRequest<Call>): Buffer
}

export interface GeneratePassThrough extends PassThrough {
  /** The members that hold the conversation, such as `messages`. If one is rewritten, all are. */
  conversation: readonly string[]
  spliceRequest(sent: SentRequest): Buffer
  /** @param events for a vendor that sends the format's events in frames of its own */
  openStream(head: BridgeHead, listener: BridgeListener, events?: OpenEvents): StreamBridge
  /** @param body a whole answer, parsed */
  patchAnswer(body: Record<string, unknown>, head: BridgeHead): FormattedAnswer
}

export interface EmbedPassThrough extends PassThrough {
  spliceRequest(sent: SentRequest<Call<EmbedRequest>>): Buffer
  /**
   * Decodes a whole answer and patches what must change in it. Undefined if it must be rewritten instead.
   * @throws {GatewayError} as `VendorEmbed.decode`
   */
  readAnswer(
    body: Buffer,
    head: BridgeHead,
    request: EmbedRequest,
  ): { embeddings: Embeddings; answer: EmbedAnswer | undefined }
}

export interface RerankPassThrough extends PassThrough {
  spliceRequest(sent: SentRequest<Call<RerankRequest>>): Buffer
  patchAnswer(ranking: Ranking, head: BridgeHead, request: RerankRequest): FormattedAnswer
}

export interface ModeratePassThrough extends PassThrough {
  spliceRequest(sent: SentRequest<Call<ModerateRequest>>): Buffer
  patchAnswer(moderation: Moderation, head: BridgeHead): FormattedAnswer
}

/** How bytes pass between these two formats; undefined if the answer is translated. */
export function passThroughOf<Passing extends PassThrough>(
  format: Pick<CallerFormat, 'name'> & { passThrough?: Passing },
  vendorFormat: Pick<VendorFormat, 'name' | 'passes'>,
): Passing | undefined {
  return format.name === (vendorFormat.passes ?? vendorFormat.name) ? format.passThrough : undefined
}

/** A caller's request on its way to a vendor of the same format. */
export interface SentRequest<Sent extends Call = GenerateCall> {
  /** The bytes as they came. */
  body: Buffer
  /** Where the outermost members are in `body`. */
  members: readonly Member[]
  call: Sent
  /** The vendor's name for the model. */
  model: string
  /** Whether it is a reasoning model. */
  reasons: boolean
  /** The bound to send, in output tokens of one choice. Undefined: none. */
  maxOutputTokens: number | undefined
  /** Fields to write from the parsed request instead of copying the caller's bytes. */
  asUnderstood: readonly string[]
  /** Proofs of earlier reasoning are left out, because the vendor rejected them. */
  withoutProofs?: boolean
  /** The vendor's web search is not offered to the model, because nothing pays for it. */
  withoutSearch?: boolean
  /** How often the vendor may use the tools that it runs, if that limit was lowered. */
  toolUses?: number | undefined
  /** The tools, if some are written differently from what the caller sent. Absent: none are. */
  tools?: readonly Tool[] | undefined
  quirks: VendorQuirks
}
