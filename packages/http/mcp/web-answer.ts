import type { ServerResponse } from 'node:http'

/** Sends the SDK's response as it is produced; cancels it if the client disconnects. */
export async function sendAnswer(answer: Response, response: ServerResponse): Promise<void> {
  const { body, status, headers } = answer
  const stop = (): void => void body?.cancel().catch(() => undefined)
  if (response.destroyed) return stop()
  response.writeHead(status, Object.fromEntries(headers))
  if (body === null) {
    response.end()
    return
  }
  response.flushHeaders()
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => undefined)
  response.once('close', leave)
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (response.destroyed) return
      if (!response.write(piece.value)) await waitForDrain(response)
    }
    response.end()
  } finally {
    response.off('close', leave)
  }
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle)
      response.off('close', settle)
      resolve()
    }
    response.on('drain', settle)
    response.on('close', settle)
  })
}
