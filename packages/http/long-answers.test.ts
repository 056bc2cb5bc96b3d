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
/** What the client has read and no test has looked at. */
let read: string
let ended: boolean
let served: Served[]
let told: string[]
let errors: number

beforeEach(async () => {
  served = []
  told = []
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
    onTaken: () => told.push('taken'),
    onAnswered: () => told.push('answered'),
  })
}

const owner = {
  onDrain: (): void => void told.push('drain'),
  onAnswerClosed: (): void => void told.push('closed'),
}

function asked(path: string, { version = '1.1', header = '' } = {}): string {
  return `POST ${path} HTTP/${version}\r\nhost: x\r\ncontent-length: 2\r\n${header}\r\nhi`
}

/** The answer to a request that was sent already, once its first chunk is with the client. */
async function begun(path: string): Promise<Served> {
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

const heard = (what: string): Promise<void> => vi.waitFor(() => expect(told).toContain(what), 10_000)

it("takes a connection from Node, which keeps nothing of it, and writes the answer's rest", async () => {
  client.write(asked('/'))
  const one = await begun('/')
  const answer = taken(one)
  expect(told).toEqual(['taken'])
  // Where there is a parser Node keeps it here: 10 KB, and the reason for all of this.
  expect((one.socket as Socket & { parser: unknown }).parser).toBeNull()
  expect(one.response.socket).toBeNull()
  expect(answer.write('a')).toBe(true)
  await reads('1\r\na\r\n')
  answer.end(Buffer.from('\xe9', 'latin1'))
  await reads('1\r\n\xe9\r\n0\r\n\r\n')
  await heard('answered')
  expect(answer.writableFinished).toBe(true)
  expect(told).toEqual(['taken', 'closed', 'answered'])
})

it('takes none where that is turned off', async () => {
  answers = longAnswers(false)
  client.write(asked('/'))
  const one = await begun('/')
  expect(answers.take(one, owner)).toBeUndefined()
  expect((one.socket as Socket & { parser: unknown }).parser).not.toBeNull()
  one.response.end('a')
  await reads('1\r\na\r\n0\r\n\r\n')
  expect(told).toEqual([])
})

it('gives it back for the next request, as often as there is one', async () => {
  for (const path of ['/1', '/2', '/3']) {
    client.write(asked(path))
    const answer = taken(await begun(path))
    answer.end()
    await reads('0\r\n\r\n')
  }
  client.write(asked('/4'))
  const { response } = await begun('/4')
  response.end()
  await reads('0\r\n\r\n')
  expect(errors).toBe(0)
})

it('keeps a request that comes meanwhile for later', async () => {
  client.write(asked('/1'))
  const answer = taken(await begun('/1'))
  client.write(asked('/2').slice(0, 20))
  await delay(20)
  client.write(asked('/2').slice(20) + asked('/3'))
  await delay(20)
  answer.write('a')
  await reads('1\r\na\r\n')
  expect(served).toHaveLength(1)
  answer.end()
  await vi.waitFor(() => expect(read).toContain('begun /2'), 10_000)
  expect(read.startsWith('0\r\n\r\nHTTP/1.1 200 OK\r\n')).toBe(true)
  await vi.waitFor(() => expect(served).toHaveLength(3), 10_000)
})

it('leaves an answer to Node behind which half a request has come', async () => {
  client.write(asked('/1'))
  const one = await begun('/1')
  client.write(asked('/2').slice(0, 20))
  await vi.waitFor(() => expect(one.socket.bytesRead).toBeGreaterThan(one.bytesRead), 10_000)
  expect(answers.take(one, owner)).toBeUndefined()
  one.response.end('rest')
  client.write(asked('/2').slice(20))
  await vi.waitFor(() => expect(read).toContain('begun /2'), 10_000)
  expect(told).toEqual([])
  expect(errors).toBe(0)
})

it.each([1, 5, 20, 40, 50])(
  'leaves one with which %i bytes of the next request came to Node',
  async (cut) => {
    client.write(asked('/1') + asked('/2').slice(0, cut))
    await begun('/1')
    expect(answers.take(served[0]!, owner)).toBeUndefined()
    client.write(asked('/2').slice(cut))
    served[0]!.response.end('rest')
    await vi.waitFor(() => expect(read).toContain('begun /2'), 10_000)
    expect(errors).toBe(0)
  },
)

it('leaves those of HTTP/1.0, which knows no chunks, and those that wait for others', async () => {
  client.write(asked('/1', { version: '1.0', header: 'connection: keep-alive\r\n' }))
  await vi.waitFor(() => expect(read).toContain('begun /1'), 10_000)
  expect(answers.take(served[0]!, owner)).toBeUndefined()
  served[0]!.response.end()
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
  expect(answers.take(served[0]!, owner)).toBeUndefined()
})

it('tells of a client that leaves', async () => {
  client.write(asked('/'))
  const answer = taken(await begun('/'))
  client.destroy()
  await heard('answered')
  expect(answer.writableFinished).toBe(false)
  expect(told).toEqual(['taken', 'closed', 'answered'])
})

it('takes one that will send nothing more for one that leaves, as Node does', async () => {
  client.write(asked('/'))
  taken(await begun('/'))
  client.end()
  await heard('answered')
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('hangs up behind an answer after which nothing may follow', async () => {
  client.write(asked('/', { header: 'connection: close\r\n' }))
  const answer = taken(await begun('/'))
  answer.end(Buffer.from('b'))
  await reads('1\r\nb\r\n0\r\n\r\n')
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('tells a writer that there is no room, and when there is again', async () => {
  client.write(asked('/'))
  const answer = taken(await begun('/'))
  client.pause()
  let writes = 0
  while (answer.write('x'.repeat(65_536))) expect(writes++).toBeLessThan(1_000)
  client.resume()
  await heard('drain')
})

it('lets nobody rest any more once it is closed, and ends connections with their answers', async () => {
  client.write(asked('/1'))
  const answer = taken(await begun('/1'))
  answers.close()
  answer.end()
  await reads('0\r\n\r\n')
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('hangs up on those that rest as it is closed', async () => {
  client.write(asked('/1'))
  taken(await begun('/1')).end()
  await heard('answered')
  answers.close()
  await vi.waitFor(() => expect(ended).toBe(true), 10_000)
})

it('breaks off what is still under way', async () => {
  client.write(asked('/1'))
  taken(await begun('/1'))
  client.on('error', () => undefined)
  answers.cut()
  await heard('answered')
})

it('answers who asks for another protocol in this one', async () => {
  client.write(asked('/', { header: 'connection: upgrade, http2-settings\r\nupgrade: h2c\r\n' }))
  taken(await begun('/')).end()
  await reads('0\r\n\r\n')
})
