import { withMembers } from '@turnpike/dialects'
import type { Held } from '../context.ts'
import type { UpstreamRequest } from './client.ts'

const userAgent = 'turnpike/0.1'

/**
 * The call to the vendor: the caller's own bytes, but for what must change: the model's name, our own
 * fields, and `include_usage`, without which no stream could be charged exactly.
 */
export function outboundRequest(request: Held): UpstreamRequest {
  const { provider, upstream, exchange, chat } = request
  const url = new URL(`${provider.baseUrl}/chat/completions`)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: chat.request.stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    'x-client-request-id': exchange.requestId,
  }
  const [apiKey] = provider.apiKeys
  if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`
  return {
    method: 'POST',
    origin: url.origin,
    path: url.pathname + url.search,
    headers,
    body: outboundBody(request, upstream.model),
    timeouts: provider.timeouts,
  }
}

function outboundBody({ body, members, chat }: Held, upstreamModel: string): Buffer {
  const changes = new Map<string, string | undefined>([['model', JSON.stringify(upstreamModel)]])
  if (members.some((member) => member.key === 'models')) changes.set('models', undefined)
  if (chat.tags.length > 0 || members.some((member) => member.key === 'metadata')) {
    changes.set('metadata', chat.metadata === undefined ? undefined : JSON.stringify(chat.metadata))
  }
  if (chat.request.stream) {
    const options = { ...(chat.request.extensions['stream_options'] as object | undefined), include_usage: true }
    changes.set('stream_options', JSON.stringify(options))
  }
  return withMembers(body, members, changes)
}
