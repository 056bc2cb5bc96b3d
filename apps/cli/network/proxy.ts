import api from 'undici/lib/api/index.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import { HttpAnswer } from './http-answer.ts'
import type { HttpRequest } from './send.ts'

/** Plain HTTP is forwarded rather than tunnelled, since proxies commonly tunnel only to port 443. */
const dispatcher = new EnvHttpProxyAgent({ proxyTunnel: false })

/** Uses the environment's proxies, which Node itself supports from version 24 on. */
export async function sendThroughProxy(sent: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { origin, pathname, search } = new URL(sent.url)
  const answer = await api.request.call(dispatcher, {
    origin,
    path: pathname + search,
    method: sent.method as 'GET',
    headers: sent.headers,
    body: sent.body ?? null,
    signal,
  })
  return new HttpAnswer(answer.statusCode, answer.headers, answer.body)
}
