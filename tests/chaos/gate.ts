import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands before a server, so that it can be taken away and halted as if it were a process of its own. */
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

  /** Connections break, and new ones are refused. */
  async down(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Connections stand and new ones are taken, and nothing goes either way. */
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
