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
 * What the pipeline leaves to a request's operation: how to estimate and count it, how to write it, how to
 * read its answer. Plain functions of the request, without state. A rule that an operation does not have is
 * absent.
 */
export interface OperationRules<
  Request extends OperationRequest = OperationRequest,
  Asked extends Call<Request> = Call<Request>,
> {
  /** In OpenTelemetry's conventions: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/. */
  spanName: string
  /** Whether answers have output tokens. If not, usage without output is complete. */
  expectsOutput: boolean
  /** Which fields its requests have. */
  fieldRules: FieldRules<Request>
  /** Why no other model may answer, for callers who request fallbacks or auto-routing. Absent: others may. */
  oneModel?: string
  /** Whether the candidate has a price per billed unit; others are not called. Absent: per token. */
  isPriced?(candidate: Candidate): boolean
  /** The prompt that auto-routing scores. Absent: the caller must name the model. */
  prompt?(request: Request): ModelRequest
  /**
   * The largest possible size of a request, from byte sizes alone: this runs for every request, so it uses no
   * tokenizer.
   * @param candidates where the request may be sent
   */
  estimate(request: Request, bodyBytes: number, candidates: readonly Candidate[]): Estimate
  /** Output tokens per choice to hold for if the caller named no bound; 0 if there is no output. */
  defaultOutputBound(request: Request): number
  /** How many choices are generated and billed. */
  choices(request: Request): number
  /** The most input tokens that a vendor can plausibly report, unless its tools make the model read more. */
  mostInputTokens(request: Request, model: CatalogModel): number
  /** The input buckets besides text that may price its input. */
  billedUnits(request: Request): readonly InputBucket[]
  /** The texts to count its tokens from if the vendor does not report them. */
  texts(request: Request): InputSeen
  /** Every text of the request that a vendor's error may quote; none of them may be in a log. */
  quotable(request: Request): Iterable<string>
  /** Its images, recordings and documents. Absent: it has none. */
  media?: MediaRules<Request>
  /** The proofs of earlier reasoning in it, each valid for one key only. Absent: there are none. */
  proofs?: ProofRules<Request>
  /** What vendors bill for it besides plain tokens. Absent: nothing. */
  services?: ServiceRules<Request, Asked>
  /** Whether the vendor may bill output that no caller gets to see. Absent: it never does. */
  mayReasonUnseen?(request: Request, candidate: Candidate, seen: boolean): boolean
  /** Returns the request with this output bound instead of its own. Absent: it has no bound. */
  withBound?(request: Request, bound: number | undefined): Request
  /**
   * Fields that the candidate's model does not support, for a caller who asked for leniency. Absent: none.
   */
  unread?(candidate: Candidate, vendor: VendorOperation<Request>): ReadonlySet<string>
  /**
   * The members to rewrite in a body for a vendor of the caller's own format after something was left out of
   * them. Absent: members are sent as they were written, or not at all.
   */
  rewriteMembers?(
    request: Request,
    candidate: Candidate,
    passing: PassThrough,
    vendor: VendorOperation<Request>,
  ): ReadonlyMap<string, string | undefined>
  /** Adds what such a vendor needs besides. Absent: nothing. */
  completeSent?(sent: SentRequest<Asked>, lenient: Request, unpaid: readonly string[]): void
  /** Marks which parts of the vendor's answer to hide from the caller. Absent: none. */
  leaveOut?(head: BridgeHead, call: Asked, candidate: Candidate, vendor: VendorOperation<Request>): void
  /**
   * Reads a whole answer, to be written in the caller's format.
   * @throws {GatewayError} 502 if it is not a valid answer, or the error that it contains
   */
  readWhole(
    formats: Formats,
    body: Buffer,
    head: BridgeHead,
    request: Request,
    headers: AnswerHeaders,
  ): WholeAnswer
  /**
   * How to split a request for a vendor that takes only so many inputs at once. Absent: it is never split.
   */
  batch?: BatchRules<Request>
  /** How to read streamed answers. Absent: answers are never streamed. */
  streams?: StreamRules
  /** Releases what is no longer needed of the request once a streamed answer has begun. */
  dropInput?(request: Request): void
}

export interface StreamRules {
  /** Opens the bridge from a vendor's stream to the caller. */
  open(formats: Formats, head: BridgeHead, listener: BridgeListener): StreamBridge
  /** The error in a successful response that is not the requested stream. Undefined if valid, or not JSON. */
  errorOfBody(vendorFormat: VendorFormat, text: string): GatewayError | undefined
}

export interface BatchRules<Request extends OperationRequest> {
  /**
   * How much to send at once: what the vendor takes, but no more than fits into an answer. Undefined if no
   * limit is known.
   * @throws {GatewayError} 400 if the whole answer would be too large
   */
  bounds(request: Request, target: { provider: Provider; model: CatalogModel }): BatchBounds | undefined
  /** Whether the request fits into one call. */
  fits(request: Request, bounds: BatchBounds): boolean
  begin(request: Request): Batch<Request>
}

/** A split request. If a vendor fails, answered parts are kept, and the next gets only the rest. */
export interface Batch<Request extends OperationRequest = OperationRequest> {
  /** The inputs without an answer yet, split into parts that a vendor takes at once. */
  missing(bounds: BatchBounds | undefined): Part<Request>[]
  /**
   * Takes the answer to a part.
   * @throws {GatewayError} 502 if it is not a valid answer, or the error that it contains
   */
  take(part: Part<Request>, vendorFormat: VendorFormat, body: Buffer, headers: AnswerHeaders): void
  /** Merges the answers once all parts are answered. */
  whole(format: CallerFormat, head: BridgeHead): WholeAnswer
  /** The texts to count the tokens of these parts, and of all answered ones, from. */
  inputSeen(parts: readonly Part<Request>[]): InputSeen
}

/** A part of a request, which is a request of its own. */
export interface Part<Request extends OperationRequest = OperationRequest> {
  request: Request
  /** The positions of its inputs in the whole request. */
  places: readonly number[]
}

/** The caller's format and the vendor's. */
export interface Formats {
  format: CallerFormat
  vendorFormat: VendorFormat
}

/** Media in a request. Some vendors fetch them from their addresses; others get them from the gateway. */
export interface MediaRules<Request extends OperationRequest> {
  sizes(request: Request): MediaSizes
  /**
   * Media whose address the vendor does not fetch itself; each address once.
   * @throws {GatewayError} 400 if there are too many
   */
  remote(request: Request, vendorFormat: Pick<VendorFormat, 'readsAddress'>): RemoteMedia[]
  /**
   * Returns the request with the fetched media in it.
   * @param fetched by `keyOfMedia`
   * @throws {GatewayError} 400 if they are too large together
   */
  filled(request: Request, wanted: readonly RemoteMedia[], fetched: ReadonlyMap<string, MediaSource>): Request
}

export interface ProofRules<Request extends OperationRequest> {
  isIn(request: Request): boolean
  /** Paths of the messages that contain proofs. */
  at(request: Request): string[]
  /** The request without them. */
  withoutProofs(request: Request): Request
}

/** A candidate's model and provider, and the input tokens that the hold covers. */
export interface ServiceTarget {
  provider: Provider
  model: CatalogModel
  heldInputTokens: number
}

/** What vendors bill besides the plain price of tokens. */
export interface ServiceRules<Request extends OperationRequest, Asked extends Call<Request>> {
  /**
   * What a request needs from a candidate, as far as prices cover it.
   * @param toolUses uses of each vendor-run tool, if they were lowered
   */
  listServices(
    request: { call: Asked; format: CallerFormat; toolUses?: number | undefined },
    at: ServiceTarget,
  ): RequestedServices
  /** The most uses of any vendor-run tool whose limit can be lowered. */
  mostUses(request: Request, provider: Provider): number
  /** Returns the request with at most this many uses of such tools. */
  withUses(request: Request, provider: Provider, most: number): Request
  /** How often the model may read its input at most. */
  mostReadings(request: Request, provider: Provider): number
  /** Whether the vendor's own tools are expected to make the model read more. */
  readsOn(request: Request, provider: Provider): boolean
  /** The path of something that no price covers; undefined if there is none. */
  findUnpriced(
    sent: Request,
    candidate: Candidate,
    rules: PaidRules,
    isOwnFormat: boolean,
  ): string | undefined
  /** Paths of what to withhold from the model because no price covers it. */
  unpaid(request: Request, candidate: Candidate): string[]
  /** The assumed usage if the provider reports none. Absent or undefined: the input's tokens are counted. */
  estimateUsage?(request: Request, provider: Provider): Usage | undefined
}

/** The tokens that a request counts against the limits before it is answered. */
export interface Estimate {
  inputTokens: number
  /** Of one choice, whatever the model's own limit. */
  outputTokens: number
  choices: number
}

/** The input of a request, as a tokenizer counts it. */
export interface InputSeen {
  /** Of its messages. */
  text: string
  tools: readonly Tool[]
  /** Tokens of what is not text: media, and tokens that were given as numbers. */
  mediaTokens: number
}

export interface MediaSizes {
  /** Base64 characters in the request's body. */
  characters: number
  /** The tokens of the media alone; the request's text is counted separately. */
  tokens: number
}

/**
 * The output bound of a request that names none, and the least that a bound is lowered to if the credit does
 * not cover it (docs/contract.md, 4.5).
 */
export const defaultOutputTokens = 4_096

/** Estimates a text's tokens from its bytes: on the high side for prose and code in any script. */
const bytesPerToken = 3

/** Estimates the tokens of a text by its length. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** The text of an input, as a tokenizer counts it. */
export function inputText({ text, tools }: InputSeen): string {
  return [text, ...tools.map((tool) => JSON.stringify(tool))].join('\n')
}

/** Includes the kind: one address may be used as two kinds of media, and be valid only as one. */
export function keyOfMedia({ kind, url }: Pick<RemoteMedia, 'kind' | 'url'>): string {
  return `${kind} ${url}`
}
