import { EnvHttpProxyAgent, request } from 'undici'
import { HttpAnswer } from './http-answer.ts'
import type { HttpRequest } from './network.ts'

/** Plain HTTP is handed to a proxy as such, since proxies commonly tunnel to port 443 alone. */
const dispatcher = new EnvHttpProxyAgent({ proxyTunnel: false })

/** Through the proxies that the environment names, which Node itself knows of from version 24 on. */
export async function sendThroughProxy(sent: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { method, url, headers, body } = sent
  const answer = await request(url, {
    method: method as 'GET',
    headers,
    body: body ?? null,
    signal,
    dispatcher,
  })
  return new HttpAnswer(answer.statusCode, answer.headers, answer.body)
}
