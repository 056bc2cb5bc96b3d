import { scanObject, withMembers } from '@turnpike/dialects'
import type { Held } from '../context.ts'
import type { UpstreamRequest } from './client.ts'

const userAgent = 'turnpike/0.1'
const openBrace = 0x7b

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
  const metadata = members.findLast((member) => member.key === 'metadata')
  if (metadata !== undefined) withoutTags(body.subarray(metadata.valueStart, metadata.end), changes)
  if (chat.request.stream) {
    const options = {
      ...(chat.request.extensions['stream_options'] as object | undefined),
      include_usage: true,
    }
    changes.set('stream_options', JSON.stringify(options))
  }
  return withMembers(body, members, changes)
}

/** Of the metadata only the tags are ours: the rest is the vendor's, as it was written. */
function withoutTags(metadata: Buffer, changes: Map<string, string | undefined>): void {
  if (metadata[0] !== openBrace) return
  const { members } = scanObject(metadata)
  const others = members.filter((member) => member.key !== 'tags')
  if (others.length === members.length) return
  const rest = withMembers(metadata, members, new Map([['tags', undefined]]))
  changes.set('metadata', others.length === 0 ? undefined : rest.toString())
}
