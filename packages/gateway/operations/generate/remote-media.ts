import { Positions, type MediaKind, type VendorFormat } from '@turnpike/dialects'
import {
  invalidRequest,
  type ContentBlock,
  type GatewayError,
  type MediaSource,
  type ModelRequest,
} from '@turnpike/protocol'
import { maxTotalBytes, type RemoteMedia } from '../../upstream/media/media-fetcher.ts'
import { keyOfMedia } from '../rules.ts'

/** The most addresses in one request. */
const maxAddresses = 16
/** In base64, in the request to the vendor. */
const maxCharacters = Math.ceil((maxTotalBytes * 4) / 3) + 4 * maxAddresses
const maxTotalMebibytes = maxTotalBytes / 1024 / 1024

/** The caller's field after a block's own path. */
const fields = { image: 'image_url.url', audio: 'input_audio.data', document: 'file.file_data' } as const

type RemoteBlock = Extract<ContentBlock, { kind: MediaKind }> & { source: { type: 'url' } }

/**
 * The media whose address the vendor does not fetch itself; each address once.
 * @throws {GatewayError} 400 if there are too many
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
      if (found.has(keyOfMedia(media))) continue
      if (found.size === maxAddresses) throw tooMany(media.param)
      found.set(keyOfMedia(media), media)
    }
  }
  return [...found.values()]
}

/**
 * Returns the request with the fetched media in it.
 * @throws {GatewayError} 400 if they are too large together
 */
export function fillMedia(
  request: ModelRequest,
  wanted: readonly RemoteMedia[],
  fetched: ReadonlyMap<string, MediaSource>,
): ModelRequest {
  let characters = 0
  const fillBlock = (block: ContentBlock): ContentBlock => {
    if (!isRemote(block)) return block
    const key = keyOfMedia({ kind: block.kind, url: block.source.url })
    const source = fetched.get(key)
    if (source === undefined) return block
    if (source.type === 'base64') characters += source.data.length
    // Media that are fetched once are still sent once per reference.
    if (characters > maxCharacters) throw tooMuch(wanted.find((media) => keyOfMedia(media) === key)!.param)
    return { ...block, source }
  }
  const messages = request.messages.map((message) => ({
    ...message,
    content: message.content.map(fillBlock),
  }))
  return { ...request, messages }
}

function isRemote(block: ContentBlock): block is RemoteBlock {
  const media = block.kind === 'image' || block.kind === 'audio' || block.kind === 'document'
  return media && block.source.type === 'url'
}

function tooMuch(param: string): GatewayError {
  return invalidRequest(param, `${param}: expected at most ${maxTotalMebibytes} MiB of media in one request.`)
}

function tooMany(param: string): GatewayError {
  return invalidRequest(param, `${param}: expected at most ${maxAddresses} media URLs in one request.`)
}
