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
 * A wire format as callers speak it: requests in, answers and errors out. Plain functions without state, but
 * for the encoder, of which each stream has its own. The other side, towards vendors, is `VendorFormat`. What
 * a format of one operation has besides is in a type that builds on this one.
 */
export interface CallerFormat {
  name: FormatName
  /** As rows name it. */
  endpoint: Endpoint
  /** What its callers ask for. */
  operation: ServedOperation
  /** Where it is served, as in `/v1/chat/completions`. */
  path: string
  /** How the identifiers of its answers begin, as in `chatcmpl-`. */
  idPrefix: string
  /** What the body is to be, for whoever sends another kind of JSON. */
  bodyExpected: string
  /**
   * Refuses what the head says wrong, before the body is read. Absent: it may say anything.
   * @throws {GatewayError} 400 that names the header
   */
  requireHeaders?(head: { header(name: string): string | undefined }): void
  /** Members of the body that the gateway acts on: each has one spelling, and is there once. */
  names: Names
  /** What the address says of a request where its body does not. Absent: its body says all. */
  parseAddress?(path: string): AddressedTo
  /**
   * The body in our words.
   * @param to as `parseAddress` returned it
   * @param keeping absent: no answers are kept
   * @throws {GatewayError} 400 that names the first wrong field
   */
  parse(body: object, to?: AddressedTo, keeping?: Keeping): Call
  /**
   * The path by which the caller knows a field that an error names in the words of chat completions, which
   * are our own. Absent: they are the caller's, too.
   * @param body parsed; undefined where it was not understood
   */
  fieldPath?(param: string, body: object | undefined): string
  /** Headers by which its clients tell what a request belongs to: each becomes a tag. Absent: none. */
  attribution?: readonly Attribution[]
  /** The body of an answer that is no success, and its status. */
  formatError(error: GatewayError, requestId: string): object
  errorStatus(error: GatewayError): number
  /** Headers of every answer by which this format's clients know it, besides `x-request-id`. */
  answerHeaders(requestId: string): Record<string, string> | undefined
  /** In whose words it is told what is left of the caller's limits. */
  rateLimitStyle: 'openai' | 'anthropic'
  /** Absent: its answers are whole. */
  streams?: StreamForm
  /** Where the vendor speaks this format too: bytes pass, but for what must change. Absent: none does. */
  passThrough?: PassThrough
  /** How callers read answers again, and go on from them, where those are kept; absent: none are. */
  kept?: KeptFormat
  /** Where else its callers ask, for something of their own; absent: nowhere. */
  further?: readonly CallerFormat[]
  /** Where the tokens of a request are counted, and not answered; absent: nowhere. */
  counting?: TokenCounting
}

/** A format in which models are asked for answers. */
export interface GenerateCaller extends CallerFormat {
  name: GenerateFormatName
  operation: 'generate'
  parse(body: object, to?: AddressedTo, keeping?: Keeping): GenerateCall
  streams: StreamForm
  /** A whole answer without its usage, and the same with it. */
  formatResponse(response: ModelResponse, head: BridgeHead): FormattedAnswer
  passThrough?: GeneratePassThrough
  further?: readonly GenerateCaller[]
}

/** A format in which vectors are asked for. */
export interface EmbedCaller extends CallerFormat {
  name: EmbedFormatName
  operation: 'embed'
  parse(body: object): Call<EmbedRequest>
  /**
   * An answer that a vendor gave in another format, or in another form than the caller reads.
   * @throws {GatewayError} 502 where a vector cannot be said in the encoding that was asked for
   */
  formatEmbeddings(embeddings: Embeddings, head: BridgeHead, request: EmbedRequest): EmbedAnswer
  passThrough?: EmbedPassThrough
}

/** A format in which rankings are asked for. */
export interface RerankCaller extends CallerFormat {
  name: RerankFormatName
  operation: 'rerank'
  parse(body: object): Call<RerankRequest>
  /** An answer that a vendor gave in another format. */
  formatRanking(ranking: Ranking, head: BridgeHead, request: RerankRequest): FormattedAnswer
  passThrough?: RerankPassThrough
}

/** A format in which moderations are asked for. */
export interface ModerateCaller extends CallerFormat {
  name: ModerateFormatName
  operation: 'moderate'
  parse(body: object): Call<ModerateRequest>
  /** An answer that a vendor gave in another format. */
  formatModeration(moderation: Moderation, head: BridgeHead): FormattedAnswer
  passThrough?: ModeratePassThrough
}

/** A whole answer as its caller gets it, once it is counted. */
export type EmbedAnswer = (usage: Usage | undefined, cost: Cost) => Buffer

/** How a format says a streamed answer. */
export interface StreamForm {
  encoder(head: BridgeHead): StreamEncoder
  /** The media type of its streams. */
  type: string
  /** An event, or a comment, that says nothing: a silent stream is not taken for a dead one. */
  keepAlive: string
}

/** Requests for a count are those for an answer, but for what an answer needs alone. */
export interface TokenCounting {
  /**
   * The style of the vendors that count as well; absent: none does. Who speaks the format beside another one
   * mostly does not.
   */
  style?: string
  /** Members of a body that a vendor takes for a count; absent: all of a request for an answer. */
  members?: ReadonlySet<string>
  /** Where it is served, as in `/v1/messages/count_tokens`; the same behind the vendor's origin. */
  path: string
  /** Instead of the format's own. */
  bodyExpected?: string
  parse?(body: object, to?: AddressedTo, keeping?: Keeping): Call
  formatCount(tokens: number): object
}

/** What of a request stands in its path. */
export interface AddressedTo {
  model: string
  stream: boolean
}

/** `x-claude-code-session-id: 6d4c…` is the tag `session:6d4c…`. */
export interface Attribution {
  /** In lower case. */
  header: string
  /** What stands before its value, with the colon. */
  prefix: string
}

/** A whole answer as its caller gets it, once it is counted; without usage where nobody counted. */
export type FormattedAnswer = (usage: Usage | undefined, cost: Cost) => object

/** A streamed answer in a caller's format, part by part. All text is whole events, in latin1. */
export interface StreamEncoder {
  /** The events that say this part; `''` where the format has nothing to say. */
  write(part: StreamPart): string
  /** The last events of an answer that is complete, usage and cost among them where they are told. */
  closing(usage: Usage | undefined, cost: Cost): string
  /** The last event of an answer that broke off. */
  failing(error: GatewayError, requestId: string): string
}

/** From a format to itself. */
export interface PassThrough {
  /** Headers of the caller that its vendor is sent as they came, as `anthropic-beta`; lower-case names. */
  headers: readonly string[]
  /**
   * What stands behind the vendor's base URL, in place of its format's own. Vendors of other formats have
   * nothing like it, and are not asked. Absent: they are.
   */
  path?: string
  /** The body for the vendor: the caller's own bytes, but for what must change. */
  spliceRequest(sent: SentRequest<Call>): Buffer
}

export interface GeneratePassThrough extends PassThrough {
  /** The members of the body that hold what was said, as `messages`: said anew, they are so together. */
  conversation: readonly string[]
  spliceRequest(sent: SentRequest): Buffer
  /** @param events of a vendor who sends the format's events in frames of its own */
  openStream(head: BridgeHead, listener: BridgeListener, events?: OpenEvents): StreamBridge
  /** @param body a whole answer, parsed */
  patchAnswer(body: Record<string, unknown>, head: BridgeHead): FormattedAnswer
}

export interface EmbedPassThrough extends PassThrough {
  spliceRequest(sent: SentRequest<Call<EmbedRequest>>): Buffer
  /**
   * A whole answer, understood, and the same with what must change of it: undefined where it has to be said
   * anew.
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

/** How bytes pass between these two; undefined: what is said is translated. */
export function passThroughOf<Passing extends PassThrough>(
  format: Pick<CallerFormat, 'name'> & { passThrough?: Passing },
  vendorFormat: Pick<VendorFormat, 'name' | 'passes'>,
): Passing | undefined {
  return format.name === (vendorFormat.passes ?? vendorFormat.name) ? format.passThrough : undefined
}

/** A caller's request on its way to a vendor of the same format. */
export interface SentRequest<Sent extends Call = GenerateCall> {
  /** As it came. */
  body: Buffer
  /** Where its outermost members stand in it. */
  members: readonly Member[]
  call: Sent
  /** The model's name at the vendor. */
  model: string
  /** Whether the model reasons. */
  reasons: boolean
  /** The bound to send, in output tokens of one choice; undefined: none. */
  maxOutputTokens: number | undefined
  /** Fields that are said as they were understood, and not as they were written. */
  asUnderstood: readonly string[]
  /** What proves earlier reasoning is left out: the vendor has refused it. */
  withoutProofs?: boolean
  /** The vendor's own search of the web is not offered to the model: nobody pays for it. */
  withoutSearch?: boolean
  /** How often the vendor may use the tools that it runs, where that was lowered. */
  toolUses?: number | undefined
  /** The tools where some are said otherwise than they were written; absent: none is. */
  tools?: readonly Tool[] | undefined
  quirks: VendorQuirks
}
