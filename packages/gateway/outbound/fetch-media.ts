import { Positions, type MediaKind, type VendorFormat } from '@turnpike/dialects'
import {
  invalidRequest,
  type ContentBlock,
  type GatewayError,
  type MediaSource,
  type ModelRequest,
} from '@turnpike/protocol'
import { clientClosed } from '../context/client-closed.ts'
import type { Exchange } from '../context/exchange.ts'
import { MediaFetcher, maxTotalBytes, type RemoteMedia } from '../upstream/media/media-fetcher.ts'
import type { MediaReader } from '../upstream/media/media-reader.ts'

/** Addresses that one request may name. */
const maxAddresses = 16
const atOnce = 4
/** Of base64, in the request to the vendor. */
const maxCharacters = Math.ceil((maxTotalBytes * 4) / 3) + 4 * maxAddresses
const maxTotalMebibytes = maxTotalBytes / 1024 / 1024

/** The caller's field behind a block's own path. */
const fields = { image: 'image_url.url', audio: 'input_audio.data', document: 'file.file_data' } as const

type RemoteBlock = Extract<ContentBlock, { kind: MediaKind }> & { source: { type: 'url' } }

/**
 * What of a request's media has an address that the vendor does not read itself; each address once.
 * @throws {GatewayError} 400 where there are too many
 */
export function remoteMedia(
  request: ModelRequest,
  vendorFormat: Pick<VendorFormat, 'readsAddress'>,
): RemoteMedia[] {
  const found = new Map<string, RemoteMedia>()
  for (let index = 0; index < request.messages.length; index++) {
    const positions = new Positions(`messages[${index}]`)
    for (const block of request.messages[index]!.content) {
      const path = positions.of(block)
      if (!isRemote(block) || vendorFormat.readsAddress(block.kind, block.source.url)) continue
      const media = { url: block.source.url, kind: block.kind, param: `${path}.${fields[block.kind]}` }
      if (found.has(keyOf(media))) continue
      if (found.size === maxAddresses) throw tooMany(media.param)
      found.set(keyOf(media), media)
    }
  }
  return [...found.values()]
}

/**
 * The request with its media in it, read from their addresses.
 * @throws {GatewayError} 400 that names the field; 499 where the client left meanwhile
 */
export async function fetchMedia(
  request: ModelRequest,
  wanted: readonly RemoteMedia[],
  exchange: Exchange,
  { places, accountId, rules }: MediaReader,
): Promise<ModelRequest> {
  const stop = new AbortController()
  exchange.listen({ onClientClosed: () => stop.abort(clientClosed()), onDrain() {} })
  const keep = (bytes: number): void => exchange.keepFetched(bytes)
  const fetcher = new MediaFetcher({ signal: stop.signal, keep, rules })
  const read = async (media: RemoteMedia): Promise<MediaSource> => {
    await places.enter(accountId)
    try {
      return await fetcher.fetch(media)
    } finally {
      places.leave(accountId)
    }
  }
  try {
    if (exchange.clientClosed) throw clientClosed()
    return withMedia(request, wanted, await fetchAll(wanted, read))
  } finally {
    stop.abort(clientClosed())
    exchange.listen(undefined)
    await fetcher.close()
  }
}

async function fetchAll(
  wanted: readonly RemoteMedia[],
  read: (media: RemoteMedia) => Promise<MediaSource>,
): Promise<Map<string, MediaSource>> {
  const fetched = new Map<string, MediaSource>()
  let next = 0
  const work = async (): Promise<void> => {
    for (let media = wanted[next++]; media !== undefined; media = wanted[next++])
      fetched.set(keyOf(media), await read(media))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, wanted.length) }, work))
  return fetched
}

function withMedia(
  request: ModelRequest,
  wanted: readonly RemoteMedia[],
  fetched: ReadonlyMap<string, MediaSource>,
): ModelRequest {
  let characters = 0
  const filled = (block: ContentBlock): ContentBlock => {
    if (!isRemote(block)) return block
    const key = keyOf({ kind: block.kind, url: block.source.url })
    const source = fetched.get(key)
    if (source === undefined) return block
    if (source.type === 'base64') characters += source.data.length
    // What is read once is said as often as it stands there.
    if (characters > maxCharacters) throw tooMuch(wanted.find((media) => keyOf(media) === key)!.param)
    return { ...block, source }
  }
  const messages = request.messages.map((message) => ({ ...message, content: message.content.map(filled) }))
  return { ...request, messages }
}

function isRemote(block: ContentBlock): block is RemoteBlock {
  const media = block.kind === 'image' || block.kind === 'audio' || block.kind === 'document'
  return media && block.source.type === 'url'
}

/** The same address may be asked for as another kind of media, and then be refused. */
function keyOf({ kind, url }: Pick<RemoteMedia, 'kind' | 'url'>): string {
  return `${kind} ${url}`
}

function tooMuch(param: string): GatewayError {
  return invalidRequest(param, `${param}: expected media of at most ${maxTotalMebibytes} MiB in a request.`)
}

function tooMany(param: string): GatewayError {
  return invalidRequest(param, `${param}: expected at most ${maxAddresses} addresses in a request.`)
}
