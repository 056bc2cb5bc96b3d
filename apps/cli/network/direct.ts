import type { IncomingMessage, request } from 'node:http'
import { HttpAnswer } from './http-answer.ts'
import type { Send } from './send.ts'

/** Without a proxy. A first call takes 7 ms of CPU; Node's `fetch` takes 30 on Node 20 and 14 on Node 26. */
export function sendingBy(begin: typeof request): Send {
  return ({ method, url, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const sent = begin(url, { method, headers })
      let answer: IncomingMessage | undefined
      sent.once('response', (message) => {
        answer = message
        resolve(new HttpAnswer(message.statusCode!, message.headers, message))
      })
      sent.on('error', reject)
      const abort = (): void => {
        answer?.destroy(signal.reason as Error)
        sent.destroy(signal.reason as Error)
      }
      signal.addEventListener('abort', abort, { once: true })
      sent.end(body)
    })
}
