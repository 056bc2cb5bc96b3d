import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call as the vendor saw it. */
export interface KeyedCall {
  /** What the request says of who asked: its only message. */
  asker: string
  /** The key that it came by. */
  key: string
}

/** What the vendor says to a key; absent: it answers. */
export interface Refusal {
  status: number
  /** `%s` stands for the key: some vendors repeat it. */
  message: string
}

/** A vendor that tells who asks it by which key, and refuses what it is told to. */
export interface KeyedVendor {
  baseUrl: string
  calls: KeyedCall[]
  /** By key. */
  refusals: Map<string, Refusal>
  close(): Promise<void>
}

/** Of every answer. */
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
