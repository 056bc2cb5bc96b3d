import type { RequestedServices } from '@turnpike/billing'
import type {
  AnswerHeaders,
  BridgeHead,
  BridgeListener,
  Call,
  CallerFormat,
  PassThrough,
  FieldRules,
  SentRequest,
  StreamBridge,
  VendorFormat,
  VendorOperation,
  WholeAnswer,
} from '@turnpike/dialects'
import type {
  GatewayError,
  InputBucket,
  MediaSource,
  ModelRequest,
  OperationRequest,
  Tool,
  Usage,
} from '@turnpike/protocol'
import type { BatchBounds, CatalogModel, Provider } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'
import type { RemoteMedia } from '../upstream/media/media-fetcher.ts'
import type { PaidRules } from './paid-rules.ts'

/**
 * What the pipeline does not know of a request and asks of its operation: what it may come to, what of it is
 * counted, how it is said and how its answer is read. Plain functions of the request, without state. What an
 * operation does not have is absent.
 */
export interface OperationRules<
  Request extends OperationRequest = OperationRequest,
  Asked extends Call<Request> = Call<Request>,
> {
  /**
   * How OpenTelemetry's conventions call it:
   * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/.
   */
  spanName: string
  /** Whether tokens come back: where none do, an answer that tells no output has told all of it. */
  expectsOutput: boolean
  /** Which fields its requests have. */
  fieldRules: FieldRules<Request>
  /**
   * Why no other model may answer in the place of the one that was asked for, as a caller is told who names
   * some, or leaves the choice to us. Absent: others may.
   */
  oneModel?: string
  /**
   * Whether a candidate's price is by what its vendor bills: whoever has none is not asked. Absent: each
   * price has tokens.
   */
  isPriced?(candidate: Candidate): boolean
  /** What auto-routing scores. Absent: the caller names the model. */
  prompt?(request: Request): ModelRequest
  /**
   * What a request may come to, from sizes alone: this runs for every request, so no tokenizer does.
   * @param candidates to whom it may be sent
   */
  estimate(request: Request, bodyBytes: number, candidates: readonly Candidate[]): Estimate
  /** Output tokens of a choice that are held for where the caller named no bound; 0 where none come back. */
  defaultOutputBound(request: Request): number
  /** How many choices are generated, and billed. */
  choices(request: Request): number
  /** The most input tokens that a vendor's usage may tell of, unless its tools let the model read on. */
  mostInputTokens(request: Request, model: CatalogModel): number
  /** Which prices, besides that of text, its input may have. */
  billedUnits(request: Request): readonly InputBucket[]
  /** What its tokens are counted from, where the vendor does not report them. */
  texts(request: Request): InputSeen
  /** Each of its texts that a vendor's error may quote: none of them may be in a log. */
  quotable(request: Request): Iterable<string>
  /** Its pictures, recordings and documents. Absent: it has none. */
  media?: MediaRules<Request>
  /** What proves earlier reasoning in it, which is one key's alone. Absent: there is none. */
  proofs?: ProofRules<Request>
  /** What vendors do for it beside their plain work, and bill. Absent: nothing. */
  services?: ServiceRules<Request, Asked>
  /** Whether the vendor may bill output that no caller gets to see. Absent: it never does. */
  mayReasonUnseen?(request: Request, candidate: Candidate, seen: boolean): boolean
  /** The request with the bound of output that is sent in place of its own. Absent: it has no such bound. */
  withBound?(request: Request, bound: number | undefined): Request
  /** Fields that the candidate's model cannot be given, for a caller who asked for leniency. Absent: none. */
  unread?(candidate: Candidate, vendor: VendorOperation<Request>): ReadonlySet<string>
  /**
   * The members of a body for a vendor of the caller's own format that are said anew, where something was
   * left out of them. Absent: they go as they were written, or not at all.
   */
  rewriteMembers?(
    request: Request,
    candidate: Candidate,
    passing: PassThrough,
    vendor: VendorOperation<Request>,
  ): ReadonlyMap<string, string | undefined>
  /** Notes what such a vendor is to be sent besides. Absent: nothing. */
  completeSent?(sent: SentRequest<Asked>, said: Request, unpaid: readonly string[]): void
  /** Notes what of the vendor's answer the caller is not told. Absent: all is. */
  leaveOut?(head: BridgeHead, call: Asked, candidate: Candidate, vendor: VendorOperation<Request>): void
  /**
   * A whole answer, to be said in the caller's format.
   * @throws {GatewayError} 502 where it is no answer, or the error that it holds
   */
  readWhole(
    formats: Formats,
    body: Buffer,
    head: BridgeHead,
    request: Request,
    headers: AnswerHeaders,
  ): WholeAnswer
  /** How a request is asked in parts, where a vendor takes only so much at once. Absent: it never is. */
  batch?: BatchRules<Request>
  /** How streamed answers are read. Absent: answers are whole. */
  streams?: StreamRules
  /** The answer to a stream has begun: what of the request is not needed any more is let go of. */
  dropInput?(request: Request): void
}

export interface StreamRules {
  /** The way of a vendor's stream to the caller. */
  open(formats: Formats, head: BridgeHead, listener: BridgeListener): StreamBridge
  /**
   * Why a body that came with a success, though a stream was asked for, is no answer; undefined where it is
   * one, or no JSON.
   */
  errorOfBody(vendorFormat: VendorFormat, text: string): GatewayError | undefined
}

export interface BatchRules<Request extends OperationRequest> {
  /**
   * How much of it is asked for at once: what the vendor takes, and no more than is taken in of an answer.
   * Undefined: nobody knows of a bound.
   * @throws {GatewayError} 400 where no answer to all of it is taken in
   */
  bounds(request: Request, asked: { provider: Provider; model: CatalogModel }): BatchBounds | undefined
  /** Whether all of it is asked for at once. */
  fits(request: Request, bounds: BatchBounds): boolean
  begin(request: Request): Batch<Request>
}

/**
 * A request that is asked in parts, of one vendor after the other where one of them fails: what was answered
 * is kept, and only what is missing is asked again.
 */
export interface Batch<Request extends OperationRequest = OperationRequest> {
  /** What has no answer yet, in parts that a vendor takes at once. */
  missing(bounds: BatchBounds | undefined): Part<Request>[]
  /**
   * Takes the answer to a part.
   * @throws {GatewayError} 502 where it is none, or the error that it holds
   */
  take(part: Part<Request>, vendorFormat: VendorFormat, body: Buffer, headers: AnswerHeaders): void
  /** All parts are answered. */
  whole(format: CallerFormat, head: BridgeHead): WholeAnswer
  /** What the tokens of these parts, and of all that were answered, are counted from. */
  inputSeen(asked: readonly Part<Request>[]): InputSeen
}

/** Some of a request, which is a request of its own. */
export interface Part<Request extends OperationRequest = OperationRequest> {
  request: Request
  /** Which of the whole request's inputs it has. */
  places: readonly number[]
}

/** Of the caller, and of the vendor. */
export interface Formats {
  format: CallerFormat
  vendorFormat: VendorFormat
}

/** Media of a request, which some vendors read from their addresses themselves, and others get from us. */
export interface MediaRules<Request extends OperationRequest> {
  sizes(request: Request): MediaSizes
  /**
   * What has an address that the vendor does not read itself; each address once.
   * @throws {GatewayError} 400 where there are too many
   */
  remote(request: Request, vendorFormat: Pick<VendorFormat, 'readsAddress'>): RemoteMedia[]
  /**
   * The request with its media in it.
   * @param fetched by `keyOfMedia`
   * @throws {GatewayError} 400 where they are too large together
   */
  filled(request: Request, wanted: readonly RemoteMedia[], fetched: ReadonlyMap<string, MediaSource>): Request
}

export interface ProofRules<Request extends OperationRequest> {
  isIn(request: Request): boolean
  /** Paths of the messages that hold some. */
  at(request: Request): string[]
  /** What is left of the request without them. */
  withoutProofs(request: Request): Request
}

/** Whom a request may be put at, and how much input it is held with. */
export interface ServiceTarget {
  provider: Provider
  model: CatalogModel
  heldInputTokens: number
}

/** What vendors bill beside the plain price of tokens. */
export interface ServiceRules<Request extends OperationRequest, Asked extends Call<Request>> {
  /**
   * What a request asks of a candidate, as far as a price may pay for it.
   * @param toolUses of each tool that the vendor runs, where they were lowered
   */
  listServices(
    request: { call: Asked; format: CallerFormat; toolUses?: number | undefined },
    at: ServiceTarget,
  ): RequestedServices
  /** How often one of the tools that the provider runs may be used at most, where that can be lowered. */
  mostUses(request: Request, provider: Provider): number
  /** The request with no more uses of such tools. */
  withUses(request: Request, provider: Provider, most: number): Request
  /** How often the model may read its input at most. */
  mostReadings(request: Request, provider: Provider): number
  /** Whether the model is reckoned to read on by the vendor's own tools. */
  readsOn(request: Request, provider: Provider): boolean
  /** The path of what nothing pays for; undefined: there is no such thing. */
  findUnpriced(
    said: Request,
    candidate: Candidate,
    rules: PaidRules,
    isOwnFormat: boolean,
  ): string | undefined
  /** Paths of what is not offered to the model, since nobody pays for it. */
  unpaid(request: Request, candidate: Candidate): string[]
  /**
   * What the provider is taken to bill where it told nothing. Absent, undefined: the tokens of the input,
   * which are counted.
   */
  estimateUsage?(request: Request, provider: Provider): Usage | undefined
}

/** What limits count of a request before it is answered. */
export interface Estimate {
  inputTokens: number
  /** Of one choice, whatever the model's own bound. */
  outputTokens: number
  choices: number
}

/** The input of a request, as a tokenizer is to count it. */
export interface InputSeen {
  /** Of its messages. */
  text: string
  tools: readonly Tool[]
  /** Of what is no text: media, and tokens that were given by their numbers. */
  mediaTokens: number
}

export interface MediaSizes {
  /** Of base64, in the request's body. */
  characters: number
  /** That they come to. The request's text is counted apart. */
  tokens: number
}

/**
 * The output bound of a request that names none, and the least to which one that the credit does not cover is
 * lowered (docs/contract.md, 4.5).
 */
export const defaultOutputTokens = 4_096

/** Tokens of a text from its bytes: on the high side for prose and code in any script. */
const bytesPerToken = 3

/** Tokens of a text by its length. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** The text of an input, as a tokenizer is to count it. */
export function inputText({ text, tools }: InputSeen): string {
  return [text, ...tools.map((tool) => JSON.stringify(tool))].join('\n')
}

/** The same address may be asked for as another kind of media, and then be refused. */
export function keyOfMedia({ kind, url }: Pick<RemoteMedia, 'kind' | 'url'>): string {
  return `${kind} ${url}`
}
