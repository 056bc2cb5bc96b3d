import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call as the vendor received it. */
export interface KeyedCall {
  /** The name of the caller, which is the request's only message. */
  asker: string
  /** The key with which it was called. */
  key: string
}

/** The vendor's refusal of a key; absent: it answers. */
export interface Refusal {
  status: number
  /** `%s` is replaced by the key, because some vendors repeat it. */
  message: string
}

/** A vendor that records callers and keys, and refuses the keys in `refusals`. */
export interface KeyedVendor {
  baseUrl: string
  calls: KeyedCall[]
  /** By key. */
  refusals: Map<string, Refusal>
  close(): Promise<void>
}

/** The usage in every answer. */
export const keyedUsage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

export async function startKeyedVendor(): Promise<KeyedVendor> {
  const calls: KeyedCall[] = []
  const refusals = new Map<string, Refusal>()
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
      const key = (request.headers.authorization ?? '').replace(/^Bearer /, '')
      calls.push({ asker: body.messages[0]!.content, key })
      const refusal = refusals.get(key)
      const [status, answer] =
        refusal === undefined
          ? [200, completion]
          : [refusal.status, { error: { message: refusal.message.replace('%s', key), type: 'error' } }]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    refusals,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_795_219_200,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: keyedUsage,
}
