import type { MediaSource, OperationRequest } from '@turnpike/protocol'
import { clientClosed } from '../context/client-closed.ts'
import type { Exchange } from '../context/exchange.ts'
import { keyOfMedia, type MediaRules } from '../operations/rules.ts'
import { MediaFetcher, type RemoteMedia } from '../upstream/media/media-fetcher.ts'
import type { MediaReader } from '../upstream/media/media-reader.ts'

const atOnce = 4

/**
 * Returns the request with the media at its addresses fetched into it.
 * @throws {GatewayError} 400 naming the field; 499 if the client left meanwhile
 */
export async function fetchMedia<Request extends OperationRequest>(
  request: Request,
  {
    wanted,
    media: { filled },
  }: { wanted: readonly RemoteMedia[]; media: Pick<MediaRules<Request>, 'filled'> },
  exchange: Exchange,
  { places, accountId, rules }: MediaReader,
): Promise<Request> {
  const stop = new AbortController()
  exchange.listen({ onClientClosed: () => stop.abort(clientClosed()), onDrain() {} })
  const keep = (bytes: number): void => exchange.keepFetched(bytes)
  const fetcher = new MediaFetcher({ signal: stop.signal, keep, rules })
  const read = async (media: RemoteMedia): Promise<MediaSource> => {
    await places.acquire(accountId)
    try {
      return await fetcher.fetch(media)
    } finally {
      places.release(accountId)
    }
  }
  try {
    if (exchange.clientClosed) throw clientClosed()
    return filled(request, wanted, await fetchAll(wanted, read))
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
      fetched.set(keyOfMedia(media), await read(media))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, wanted.length) }, work))
  return fetched
}
