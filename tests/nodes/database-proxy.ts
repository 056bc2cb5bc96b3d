import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A proxy between a node and its PostgreSQL, so that a test can cut off the database and restore it. */
export class DatabaseProxy {
  readonly #socketPath: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port = 0
  /** URL of the same database through this proxy. */
  url = ''

  private constructor(socketPath: string) {
    this.#socketPath = socketPath
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const { username, pathname, searchParams } = new URL(databaseUrl)
    const directory = searchParams.get('host')
    if (directory === null) throw new Error('expected a database behind a Unix socket')
    const port = searchParams.get('port') ?? '5432'
    const proxy = new DatabaseProxy(`${directory}/.s.PGSQL.${port}`)
    await proxy.up()
    proxy.url = `postgres://${username}@127.0.0.1:${proxy.#port}${pathname}`
    return proxy
  }

  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Breaks connections and refuses new ones. */
  async down(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #serve(socket: Socket): void {
    const database = connect(this.#socketPath)
    for (const end of [socket, database]) {
      this.#sockets.add(end)
      end.on('error', () => end.destroy())
      end.on('close', () => {
        this.#sockets.delete(end)
        socket.destroy()
        database.destroy()
      })
    }
    socket.pipe(database)
    database.pipe(socket)
  }
}
