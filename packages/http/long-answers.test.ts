import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ChunkWriter } from './chunk-writer.ts'
import type { LongAnswer } from './long-answer.ts'
import { LongAnswers, neverUpgrade } from './long-answers.ts'

interface Served {
  request: IncomingMessage
  response: ServerResponse
  socket: Socket
  chunks: ChunkWriter
  bytesRead: number
}

let server: Server
let answers: LongAnswers
let client: Socket
/** What the client has received and no test has checked yet. */
let read: string
let ended: boolean
let served: Served[]
let calls: string[]
let errors: number

beforeEach(async () => {
  served = []
  calls = []
  errors = 0
  read = ''
  ended = false
  server = createServer({ shouldUpgradeCallback: neverUpgrade }, (request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunks = new ChunkWriter(response, owner)
      chunks.write(`begun ${request.url}`)
      const { socket } = request
      served.push({ request, response, socket, chunks, bytesRead: socket.bytesRead })
    })
  })
  server.on('clientError', (_error, socket) => {
    if (answers.taking) return
    errors++
    socket.destroy()
  })
  answers = longAnswers(true)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('data', (bytes) => (read += bytes.toString('latin1')))
  client.on('end', () => (ended = true))
})

afterEach(async () => {
  client.destroy()
  answers.cut()
  answers.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function longAnswers(isEnabled: boolean): LongAnswers {
  return new LongAnswers(server, {
    isEnabled,
    keepAliveTimeoutMs: 60_000,
    onTaken: () => calls.push('taken'),
    onAnswered: () => calls.push('answered'),
  })
}

const owner = {
  onDrain: (): void => void calls.push('drain'),
  onAnswerClosed: (): void => void calls.push('closed'),
}

function requestText(path: string, { version = '1.1', header = '' } = {}): string {
  return `POST ${path} HTTP/${version}\r\nhost: x\r\ncontent-length: 2\r\n${header}\r\nhi`
}

/** Waits for the response to a request that was already sent, until its first chunk has arrived. */
async function firstChunkOf(path: string): Promise<Served> {
  await vi.waitFor(() => expect(read).toContain(`begun ${path}\r\n`), 10_000)
  read = ''
  return served.at(-1)!
}

function taken(one: Served): LongAnswer {
  const answer = answers.take(one, owner)
  expect(answer, 'this Node keeps the connections of long answers').toBeDefined()
  return answer!
}

async function reads(text: string): Promise<void> {
  await vi.waitFor(() => expect(read).toBe(text), 10_000)
  read = ''
}

const calledBack = (what: string): Promise<void> => vi.waitFor(() => expect(calls).toContain(what), 10_000)

it('takes a connection from Node, freeing its memory, and writes the rest of the response', async () => {
  client.write(requestText('/'))
  const one = await firstChunkOf('/')
  const answer = taken(one)
  expect(calls).toEqual(['taken'])
  // While Node has a parser, it is here: 10 KB, the reason for this whole mechanism.
  expect((one.socket as Socket & { parser: unknown }).parser).toBeNull()
  expect(one.response.socket).toBeNull()
  expect(answer.write('a')).toBe(true)
  await reads('1\r\na\r\n')
  answer.end(Buffer.from('\xe9', 'latin1'))
  await reads('1\r\n\xe9\r\n0\r\n\r\n')
  await calledBack('answered')
  expect(answer.writableFinished).toBe(true)
  expect(calls).toEqual(['taken', 'closed', 'answered'])
})

it('takes no connection if that is disabled', async () => {
  answers = longAnswers(false)
  client.write(requestText('/'))
  const one = await firstChunkOf('/')
  expect(answers.take(one, owner)).toBeUndefined()
  expect((one.socket as Socket & { parser: unknown }).parser).not.toBeNull()
  one.response.end('a')
  await reads('1\r\na\r\n0\r\n\r\n')
  expect(calls).toEqual([])
})

it('returns the connection to Node for each next request', async () => {
  for (const path of ['/1', '/2', '/3']) {
    client.write(requestText(path))
    const answer = taken(await firstChunkOf(path))
    answer.end()
    await reads('0\r\n\r\n')
  }
  client.write(requestText('/4'))
  const { response } = await firstChunkOf('/4')
  response.end()
  await reads('0\r\n\r\n')
  expect(errors).toBe(0)
})

it('keeps a request that arrives in the meantime until the response has ended', async () => {
  client.write(requestText('/1'))
  const answer = taken(await firstChunkOf('/1'))
  client.write(requestText('/2').slice(0, 20))
  await delay(20)
  client.write(requestText('/2').slice(20) + requestText('/3'))
  await delay(20)
  answer.write('a')
  await reads('1\r\na\r\n')
  expect(served).toHaveLength(1)
  answer.end()
  await vi.waitFor(() => expect(read).toContain('begun /2'), 10_000)
  expect(read.startsWith('0\r\n\r\nHTTP/1.1 200 OK\r\n')).toBe(true)
  await vi.waitFor(() => expect(served).toHaveLength(3), 10_000)
})

it('leaves the connection with Node if half a request has arrived behind the response’s own', async () => {
  client.write(requestText('/1'))
  const one = await firstChunkOf('/1')
  client.write(requestText('/2').slice(0, 20))
  await vi.waitFor(() => expect(one.socket.bytesRead).toBeGreaterThan(one.bytesRead), 10_000)
  expect(answers.take(one, owner)).toBeUndefined()
  one.response.end('rest')
  client.write(requestText('/2').slice(20))
  await vi.waitFor(() => expect(read).toContain('begun /2'), 10_000)
  expect(calls).toEqual([])
  expect(errors).toBe(0)
})

it.each([1, 5, 20, 40, 50])(
  'leaves the connection with Node if it has parsed %i bytes of the next request',
  async (cut) => {
    client.write(requestText('/1') + requestText('/2').slice(0, cut))
    await firstChunkOf('/1')
    expect(answers.take(served[0]!, owner)).toBeUndefined()
    client.write(requestText('/2').slice(cut))
    served[0]!.response.end('rest')
    await vi.waitFor(() => expect(read).toContain('begun /2'), 10_000)
    expect(errors).toBe(0)
  },
)

it('leaves HTTP/1.0 connections, and responses that wait for earlier ones, with Node', async () => {
  client.write(requestText('/1', { version: '1.0', header: 'connection: keep-alive\r\n' }))
  await vi.waitFor(() => expect(read).toContain('begun /1'), 10_000)
  expect(answers.take(served[0]!, owner)).toBeUndefined()
  served[0]!.response.end()
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
  expect(answers.take(served[0]!, owner)).toBeUndefined()
})

it('reports a client that disconnects', async () => {
  client.write(requestText('/'))
  const answer = taken(await firstChunkOf('/'))
  client.destroy()
  await calledBack('answered')
  expect(answer.writableFinished).toBe(false)
  expect(calls).toEqual(['taken', 'closed', 'answered'])
})

it('treats a client that closes its sending side as disconnected, as Node does', async () => {
  client.write(requestText('/'))
  taken(await firstChunkOf('/'))
  client.end()
  await calledBack('answered')
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('closes the connection after a response with `connection: close`', async () => {
  client.write(requestText('/', { header: 'connection: close\r\n' }))
  const answer = taken(await firstChunkOf('/'))
  answer.end(Buffer.from('b'))
  await reads('1\r\nb\r\n0\r\n\r\n')
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('reports when the client is too slow, and when it has caught up', async () => {
  client.write(requestText('/'))
  const answer = taken(await firstChunkOf('/'))
  client.pause()
  let writes = 0
  while (answer.write('x'.repeat(65_536))) expect(writes++).toBeLessThan(1_000)
  client.resume()
  await calledBack('drain')
})

it('keeps no idle connections once it is closed, and ends connections with their responses', async () => {
  client.write(requestText('/1'))
  const answer = taken(await firstChunkOf('/1'))
  answers.close()
  answer.end()
  await reads('0\r\n\r\n')
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('closes idle connections when it is closed', async () => {
  client.write(requestText('/1'))
  taken(await firstChunkOf('/1')).end()
  await calledBack('answered')
  answers.close()
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('cuts responses that are still in progress', async () => {
  client.write(requestText('/1'))
  taken(await firstChunkOf('/1'))
  client.on('error', () => undefined)
  answers.cut()
  await calledBack('answered')
})

it('answers in HTTP/1.1 if a client requests a protocol upgrade', async () => {
  client.write(requestText('/', { header: 'connection: upgrade, http2-settings\r\nupgrade: h2c\r\n' }))
  taken(await firstChunkOf('/')).end()
  await reads('0\r\n\r\n')
})
