import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { connector } from './connector.ts'

let server: Server
afterEach(() => server.close())

async function listening(): Promise<number> {
  server = createServer((socket) => void socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

interface Outcome {
  error: Error | null
  errorListeners: number | undefined
}

const connected = (port: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const target = { hostname: '127.0.0.1', host: `127.0.0.1:${port}`, protocol: 'http:', port: String(port) }
    connector({ timeout: 5_000 })(target, (error, socket) => {
      resolve({ error, errorListeners: socket?.listenerCount('error') })
      socket?.destroy()
    })
  })

it('leaves no listener of the connect phase on a connection', async () => {
  expect(await connected(await listening())).toEqual({ error: null, errorListeners: 0 })
})

it('reports why there is no connection', async () => {
  const port = await listening()
  server.close()
  await once(server, 'close')
  expect(await connected(port)).toEqual({
    error: expect.objectContaining({ code: 'ECONNREFUSED' }),
    errorListeners: undefined,
  })
})
