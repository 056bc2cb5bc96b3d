import type { IncomingMessage } from 'node:http'
import { GatewayError } from '@turnpike/protocol'

/**
 * The whole body of a request.
 * Rejects with 413 over `maxBytes`, 408 where the sender is silent for `stallMs`, `client_closed_request`
 * where it leaves.
 */
export function readBody(request: IncomingMessage, maxBytes: number, stallMs: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) return Promise.reject(tooLarge(maxBytes))
  // Who left while its key was looked up: nothing more will be heard of it.
  if (request.destroyed) return Promise.reject(left())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => fail(stalled(stallMs)), stallMs)
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > maxBytes) return fail(tooLarge(maxBytes))
      chunks.push(chunk)
      timer.refresh()
    }
    const onEnd = (): void => {
      stop()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes))
    }
    const onClose = (): void => fail(left())
    const stop = (): void => {
      clearTimeout(timer)
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('error', onClose)
      request.off('close', onClose)
    }
    const fail = (error: GatewayError): void => {
      stop()
      // What is still sent is thrown away, so that the sender lives to read the answer.
      request.on('error', ignoreAfterAnswer)
      request.resume()
      reject(error)
    }
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('error', onClose)
    request.on('close', onClose)
  })
}

function left(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the connection.')
}

/** The body was refused already: that its sender breaks off is no news. */
function ignoreAfterAnswer(): void {}

function tooLarge(maxBytes: number): GatewayError {
  const limit = `${Math.floor(maxBytes / (1024 * 1024))} MiB`
  return new GatewayError('request_too_large', `The body is larger than the limit of ${limit}.`)
}

function stalled(stallMs: number): GatewayError {
  const message = `The body did not arrive: nothing came for ${stallMs / 1000} seconds.`
  return new GatewayError('invalid_request_error', message, { status: 408, headers: { connection: 'close' } })
}
