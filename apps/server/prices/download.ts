import { UpstreamFailure, type UpstreamClient, type UpstreamRequest } from '@turnpike/gateway'

export interface DownloadBounds {
  maxBytes: number
  timeouts: UpstreamRequest['timeouts']
}

/** For prices: the data has 0.4 MB; anything much larger is something else. */
const priceBounds: DownloadBounds = {
  maxBytes: 32 * 1024 * 1024,
  timeouts: { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 120_000 },
}

/**
 * Downloads a text without following redirects.
 * @throws {Error} no response, a status other than 200, or a response beyond the bounds
 */
export function download(
  address: string,
  client: UpstreamClient,
  { maxBytes, timeouts }: DownloadBounds = priceBounds,
): Promise<string> {
  const url = new URL(address)
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    let abort = (_reason: Error): void => undefined
    client.send(
      {
        method: 'GET',
        origin: url.origin,
        path: url.pathname + url.search,
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        body: null,
        timeouts,
      },
      {
        onCall: (call) => {
          abort = (reason) => call.abort(reason)
        },
        onHead: (status) => {
          if (status !== 200) abort(new UpstreamFailure('aborted', `${address} returned ${status}`))
        },
        onData: (chunk) => {
          bytes += chunk.length
          if (bytes > maxBytes)
            abort(new UpstreamFailure('aborted', `${address} returned more than ${maxBytes} bytes`))
          else chunks.push(chunk)
        },
        onEnd: () => resolve(Buffer.concat(chunks).toString('utf8')),
        onError: reject,
      },
    )
  })
}
