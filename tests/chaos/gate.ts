import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy in front of a server: cuts off or halts the server as if it were a separate process. */
export class Gate {
  readonly #behind: number
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#serve(socket))
  #halted = false
  port = 0

  private constructor(behind: number) {
    this.#behind = behind
  }

  static async before(port: number): Promise<Gate> {
    const gate = new Gate(port)
    await gate.up()
    return gate
  }

  async up(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Breaks connections and refuses new ones. */
  async down(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Keeps connections and accepts new ones, but passes no bytes in either direction. */
  halt(): void {
    this.#halted = true
    for (const socket of this.#sockets) socket.pause()
  }

  resume(): void {
    this.#halted = false
    for (const socket of this.#sockets) socket.resume()
  }

  #serve(socket: Socket): void {
    const other = connect(this.#behind, '127.0.0.1')
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => from.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#halted) from.pause()
    }
  }
}
