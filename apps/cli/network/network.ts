import type { Environment } from '../settings.ts'
import type { HttpAnswer } from './http-answer.ts'
import { networkFailure } from './network-failure.ts'
import type { HttpRequest, Send } from './send.ts'

/** The only way for commands to reach the network. */
export interface Network {
  /**
   * Sends a request. The response's body is still to be read, which `signal` ends too.
   * @throws {Failure} exit code 2 if there was no response
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** @param timeoutMs how long a response may take to begin */
export function openNetwork(
  environment: Environment,
  timeoutMs: () => number,
  userAgent: string,
  interrupt: AbortSignal,
): Network {
  const sendFor = async (url: string): Promise<Send> => {
    if (hasProxy(environment) && !isLoopback(url)) return (await import('./proxy.ts')).sendThroughProxy
    return url.startsWith('https:')
      ? (await import('./https.ts')).sendByHttps
      : (await import('./http.ts')).sendByHttp
  }
  return {
    signal: interrupt,
    async send({ method, url, headers, body }, signal) {
      const limitMs = timeoutMs()
      const stopping = stopWith(interrupt, signal)
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        stopping.stop()
      }, limitMs)
      const request = {
        method,
        url,
        headers: { 'user-agent': userAgent, ...headers },
        ...(body !== undefined && { body }),
      }
      try {
        const send = await sendFor(url)
        const answer = await send(request, stopping.signal)
        answer.body.once('close', stopping.release)
        return answer
      } catch (error) {
        stopping.release()
        interrupt.throwIfAborted()
        signal?.throwIfAborted()
        throw networkFailure(error, url, isLate ? limitMs : undefined)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Combines what can end a request: Ctrl-C, the caller's own signal, and `stop`. */
function stopWith(...signals: (AbortSignal | undefined)[]): {
  signal: AbortSignal
  stop: () => void
  release: () => void
} {
  const controller = new AbortController()
  const sources = signals.filter((signal) => signal !== undefined)
  const stop = (): void => controller.abort(sources.find(({ aborted }) => aborted)?.reason)
  for (const signal of sources) signal.addEventListener('abort', stop, { once: true })
  if (sources.some(({ aborted }) => aborted)) stop()
  return {
    signal: controller.signal,
    stop,
    // A signal outlives the request, so its listeners must be removed.
    release: () => sources.forEach((signal) => signal.removeEventListener('abort', stop)),
  }
}

const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

function hasProxy(environment: Environment): boolean {
  return proxyVariables.some((name) => environment[name])
}

function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
