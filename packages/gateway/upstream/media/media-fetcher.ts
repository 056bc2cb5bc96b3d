import { isIP } from 'node:net'
import type { MediaKind } from '@turnpike/dialects'
import { GatewayError, invalidRequest, type MediaSource } from '@turnpike/protocol'
import { headerText, UpstreamFailure, type UpstreamHeaders, type UpstreamRequest } from '../client.ts'
import { UndiciUpstreamClient } from '../undici-client.ts'
import { AddressRefused, guardedLookup } from './guarded-lookup.ts'
import { MediaReceiver, type MediaAnswer } from './media-receiver.ts'
import { declaredType, expectations, formatOf, mediaType } from './media-type.ts'
import { isPublicAddress } from './public-address.ts'

const maxMediaBytes = 20 * 1024 * 1024
/** For all media of one request: no more than its own body may contain. */
export const maxTotalBytes = 32 * 1024 * 1024
/** Each chunk costs time and a hundred bytes besides its own; a server must not choose how many there are. */
const freePieces = 1_000
const leastPieceBytes = 256
const maxRedirects = 3
/** For one medium, redirects included. */
const timeLimitMs = 10_000
/** For all media of one request. */
const totalTimeLimitMs = 30_000

/** Where media may come from. Tests allow their own server on the loopback address. */
export interface MediaRules {
  /** Called for every address of a host's name. */
  allowsAddress(address: string): boolean
  /** `''` for the scheme's default port. */
  allowsPort(port: string): boolean
}

export const publicInternet: MediaRules = {
  allowsAddress: isPublicAddress,
  allowsPort: (port) => port === '' || port === '80' || port === '443',
}

/** Media that a caller named by its address. */
export interface RemoteMedia {
  url: string
  kind: MediaKind
  /** The caller's field, for the error. */
  param: string
}

export interface MediaFetcherOptions {
  /** Aborts all fetching, with its reason as the error. */
  signal: AbortSignal
  /** Called with the size of what arrives and is kept; an error that it throws ends the fetch. */
  keep: (bytes: number) => void
  rules?: MediaRules | undefined
}

/**
 * Fetches the media of one request from addresses that its caller chose, so none of them is trusted: each
 * name is looked up once, checked, and then connected to, again for every redirect.
 */
export class MediaFetcher {
  readonly #rules: MediaRules
  readonly #signal: AbortSignal
  readonly #keep: (bytes: number) => void
  readonly #client: UndiciUpstreamClient
  readonly #deadlineMs = performance.now() + totalTimeLimitMs
  #totalBytes = 0

  constructor({ signal, keep, rules = publicInternet }: MediaFetcherOptions) {
    this.#rules = rules
    this.#signal = signal
    this.#keep = keep
    this.#client = new UndiciUpstreamClient(guardedLookup((address) => rules.allowsAddress(address)))
  }

  /** @throws {GatewayError} 400 naming the caller's field and what is wrong */
  async fetch(media: RemoteMedia): Promise<MediaSource> {
    const deadlineMs = Math.min(performance.now() + timeLimitMs, this.#deadlineMs)
    let url = this.#checkUrl(media.url, undefined, media)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const answer = await this.#call(url, media, deadlineMs - performance.now())
      const location = redirectOf(answer.status, answer.headers)
      if (location === undefined) return sourceOf(answer, media)
      url = this.#checkUrl(location, url, media)
    }
    throw refusal(media, `it redirects more than ${maxRedirects} times`)
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#client.close()
  }

  async #call(url: URL, media: RemoteMedia, timeLeftMs: number): Promise<MediaAnswer> {
    const receiver = new MediaReceiver({
      wantsBody: (status, headers) => {
        if (redirectOf(status, headers) !== undefined) return false
        checkHead(status, headers, media)
        return true
      },
      onBytes: (added, bytes, pieces) => {
        if (pieces > freePieces + bytes / leastPieceBytes)
          throw refusal(media, 'its server sends it too slowly, in very small pieces')
        this.#count(added, bytes, media)
      },
    })
    const stop = (): void => receiver.fail(this.#signal.reason as Error)
    this.#signal.addEventListener('abort', stop)
    try {
      if (this.#signal.aborted) stop()
      else this.#client.send(requestFor(url, media.kind, Math.max(1, timeLeftMs)), receiver)
      return await receiver.answer
    } catch (error) {
      if (error instanceof GatewayError) throw error
      throw refusal(media, failureOf(error as Error))
    } finally {
      this.#signal.removeEventListener('abort', stop)
    }
  }

  #count(added: number, bytes: number, media: RemoteMedia): void {
    this.#totalBytes += added
    if (bytes > maxMediaBytes) throw tooLarge(media)
    if (this.#totalBytes > maxTotalBytes)
      throw refusal(media, `all media together are larger than ${mebibytes(maxTotalBytes)}`)
    // As base64.
    this.#keep(Math.ceil((added * 4) / 3))
  }

  /** Checks what the address itself shows; a name is checked when it is looked up. */
  #checkUrl(text: string, base: URL | undefined, media: RemoteMedia): URL {
    const url = URL.parse(text, base)
    if (url === null) throw refusal(media, 'it is not a valid URL')
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw refusal(media, 'expected an http or https URL')
    if (url.username !== '' || url.password !== '')
      throw refusal(media, 'it contains a user name or password')
    if (!this.#rules.allowsPort(url.port)) throw refusal(media, 'expected port 80 or 443')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !this.#rules.allowsAddress(host)) throw refusal(media, notPublic)
    return url
  }
}

function requestFor(url: URL, kind: MediaKind, timeLeftMs: number): UpstreamRequest {
  const accept = kind === 'document' ? 'application/pdf' : `${kind}/*`
  return {
    method: 'GET',
    origin: url.origin,
    path: url.pathname + url.search,
    headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'turnpike/0.1' },
    body: null,
    timeouts: { connectMs: timeLimitMs, firstByteMs: timeLimitMs, idleMs: timeLimitMs, totalMs: timeLeftMs },
  }
}

function redirectOf(status: number, headers: UpstreamHeaders): string | undefined {
  return status >= 300 && status <= 399 ? headerText(headers['location']) : undefined
}

/** Rejects what it can before any of the body is read. */
function checkHead(status: number, headers: UpstreamHeaders, media: RemoteMedia): void {
  if (status < 200 || status > 299) throw refusal(media, `its server returned status ${status}`)
  const declared = declaredType(headerText(headers['content-type']))
  if (declared !== '' && mediaType(declared, media.kind) === undefined)
    throw refusal(media, `expected ${expectations[media.kind]}, got ${declared}`)
  if ((headerText(headers['content-encoding']) ?? 'identity') !== 'identity')
    throw refusal(media, 'its server sends it compressed, which is not supported')
  if (Number(headerText(headers['content-length']) ?? 0) > maxMediaBytes) throw tooLarge(media)
}

function sourceOf({ headers, bytes }: MediaAnswer, media: RemoteMedia): MediaSource {
  const type = mediaType(declaredType(headerText(headers['content-type'])), media.kind, bytes)
  if (type === undefined) {
    throw refusal(media, `expected ${expectations[media.kind]}, got another kind of file`)
  }
  return { type: 'base64', data: bytes.toString('base64'), format: formatOf(type) }
}

/** There is no such name, or it has no address. */
const unknownHost: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
const notPublic = 'its host is not on the public internet'

function refusal({ param }: RemoteMedia, reason: string): GatewayError {
  return invalidRequest(param, `${param}: the URL cannot be read: ${reason}.`)
}

function tooLarge(media: RemoteMedia): GatewayError {
  return refusal(media, `it is larger than ${mebibytes(maxMediaBytes)}`)
}

function mebibytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`
}

/** Reveals nothing about the network behind us. */
function failureOf(error: Error): string {
  const { cause } = error
  if (cause instanceof AddressRefused) return notPublic
  if (cause instanceof Error && 'code' in cause && unknownHost.has(cause.code))
    return 'its host name does not resolve'
  const late = error instanceof UpstreamFailure && error.reason.endsWith('-timeout')
  return late ? `it took longer than ${timeLimitMs / 1000} seconds` : 'its server did not respond'
}
