import type { IncomingMessage, request } from 'node:http'
import { HttpAnswer } from './http-answer.ts'
import type { Send } from './send.ts'

/** Without a proxy. Node's `fetch` would take longer to load than all the rest of a command. */
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
