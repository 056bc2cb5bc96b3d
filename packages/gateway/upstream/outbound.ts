import { withMembers } from '@turnpike/dialects'
import type { Held } from '../context.ts'
import type { UpstreamRequest } from './client.ts'

const userAgent = 'turnpike/0.1'

/**
 * The call to the vendor: the caller's own bytes, but for what must change: the model's name, our own
 * fields, and `include_usage`, without which no stream could be charged exactly.
 */
export function outboundRequest(request: Held): UpstreamRequest {
  const { provider, model, upstream, exchange, chat } = request
  const { origin, path } = addressOf(provider.baseUrl)
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
    origin,
    path: `${path}/chat/completions`,
    headers,
    body: outboundBody(request, upstream.model),
    timeouts: model.timeouts === undefined ? provider.timeouts : { ...provider.timeouts, ...model.timeouts },
  }
}

/** Parsed once: providers are few, requests are many. */
const addresses = new Map<string, { origin: string; path: string }>()

function addressOf(baseUrl: string): { origin: string; path: string } {
  let address = addresses.get(baseUrl)
  if (address === undefined) {
    const url = new URL(baseUrl)
    address = { origin: url.origin, path: url.pathname.replace(/\/$/, '') }
    addresses.set(baseUrl, address)
  }
  return address
}

function outboundBody({ body, members, chat }: Held, upstreamModel: string): Buffer {
  const changes = new Map<string, string | undefined>([['model', JSON.stringify(upstreamModel)]])
  if (members.some((member) => member.key === 'models')) changes.set('models', undefined)
  if (chat.tags.length > 0 || members.some((member) => member.key === 'metadata')) {
    changes.set('metadata', chat.metadata === undefined ? undefined : JSON.stringify(chat.metadata))
  }
  if (chat.request.stream) {
    const options = {
      ...(chat.request.extensions['stream_options'] as object | undefined),
      include_usage: true,
    }
    changes.set('stream_options', JSON.stringify(options))
  }
  return withMembers(body, members, changes)
}
