/** How the pipeline calls a vendor: it sends one request, and the answer is pushed into a receiver. */
export interface UpstreamClient {
  /** Starts the call. The receiver gets everything that follows, including failures. */
  send(request: UpstreamRequest, receiver: UpstreamReceiver): void
}

export interface UpstreamRequest {
  method: 'POST' | 'GET'
  /** Scheme, host and port: `https://api.openai.com`. */
  origin: string
  /** Path and query. */
  path: string
  /** Lower-case names. Includes the credential, so never log it. */
  headers: Record<string, string>
  body: Buffer | null
  /** The answer may go on for minutes, so nothing of the request may be kept meanwhile. */
  streams?: boolean
  timeouts: UpstreamTimeouts
}

export interface UpstreamTimeouts {
  connectMs: number
  /** From the request's last byte to the answer's first. */
  firstByteMs: number
  /** The longest silence within the answer. */
  idleMs: number
  /** The whole call. */
  totalMs: number
}

/** What the receiver can do with the call. */
export interface UpstreamCall {
  /** Stops reading from the upstream, so that a slow client fills no memory of ours. */
  pause(): void
  resume(): void
  /**
   * Ends the call at once. The receiver's `onError` follows with this reason, unless the answer had ended.
   */
  abort(reason: Error): void
}

/** Calls in order: `onCall`, `onHead`, any `onData`, then `onEnd` or `onError`; `onError` at any point. */
export interface UpstreamReceiver {
  onCall(call: UpstreamCall): void
  onHead(status: number, headers: UpstreamHeaders): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: Error): void
}

/** Lower-case names. */
export type UpstreamHeaders = Record<string, string | string[] | undefined>

/** A header's value; the first of several. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** Why a call failed without an answer, or broke off during one. */
export type UpstreamFailureReason =
  | 'too-many-waiting'
  | 'connect-failed'
  | 'connect-timeout'
  | 'first-byte-timeout'
  | 'idle-timeout'
  | 'total-timeout'
  | 'connection-lost'
  | 'aborted'

export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly reason: UpstreamFailureReason

  constructor(reason: UpstreamFailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
