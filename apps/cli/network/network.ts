import type { Environment } from '../settings.ts'
import { networkFailure } from './network-failure.ts'

type Fetch = typeof globalThis.fetch

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** The one way out of this process. */
export interface Network {
  /**
   * Sends a request; the body of the answer is still to be read, with `signal` ending that too.
   * @throws {Failure} exit code 2 where no answer came
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<Response>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** @param timeoutMs how long an answer may take to begin */
export function openNetwork(
  environment: Environment,
  timeoutMs: () => number,
  userAgent: string,
  interrupt: AbortSignal,
): Network {
  let proxied: Promise<Fetch> | undefined
  const fetchFor = async (url: string): Promise<Fetch> => {
    if (!hasProxy(environment) || isLoopback(url)) return globalThis.fetch
    // Loaded only where it is needed: it takes as long as everything else together.
    proxied ??= import('./proxy.ts').then(({ proxiedFetch }) => proxiedFetch())
    return proxied
  }
  return {
    signal: interrupt,
    async send({ method, url, headers, body }, signal) {
      const limitMs = timeoutMs()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), limitMs)
      try {
        const fetchIt = await fetchFor(url)
        return await fetchIt(url, {
          method,
          headers: { 'user-agent': userAgent, ...headers },
          // A redirect could carry a credential to another server.
          redirect: 'manual',
          signal: firstOf(interrupt, late.signal, signal),
          ...(body !== undefined && { body }),
        })
      } catch (error) {
        interrupt.throwIfAborted()
        signal?.throwIfAborted()
        throw networkFailure(error, url, late.signal.aborted ? limitMs : undefined)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Aborted with the first of them: `AbortSignal.any`, which Node knows from 20.3 on. */
function firstOf(...signals: (AbortSignal | undefined)[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) first.abort(signal.reason)
    signal?.addEventListener('abort', () => first.abort(signal.reason), { once: true })
  }
  return first.signal
}

const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

function hasProxy(environment: Environment): boolean {
  return proxyVariables.some((name) => environment[name])
}

function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
