import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { startLoadServer, type LoadCounters, type LoadServer } from '@turnpike/simulators/load-server'
import { faultAnswers } from './answers.ts'
import { CallReader, type VendorCall } from './call-reader.ts'
import { FaultSchedule, noShares, sharesOf, type FaultKind, type FaultShares } from './schedule.ts'

/** The response to GET /journal: the load server's counters, plus the calls that never reached it. */
export interface FaultyCounters extends LoadCounters {
  /** All calls, whatever their outcome. */
  calls: number
  faults: FaultShares
  /** Calls whose caller left before the first byte of a response that was being prepared. */
  left: number
}

/** How many bytes of a cut response are sent: half of a plain one; some tokens of a stream. */
const cutBytes = { plain: 600, stream: 4_000 }

/**
 * Vendors that fail now and then. Each is identified by the first part of its path and has its own schedule.
 * This is a proxy on bare sockets in front of the load server, which provides the answers and paces the
 * streams. `POST /faults/stop` ends all faults.
 */
export class FaultyVendors {
  readonly counters = { calls: 0, faults: sharesOf(() => 0), left: 0 }
  readonly #behind: LoadServer
  readonly #seed: number
  readonly #shares: FaultShares
  readonly #schedules = new Map<string, FaultSchedule>()
  readonly #sockets = new Set<Socket>()
  /** Callers whose call was passed on and who have not received a byte yet. */
  readonly #waiting = new Set<Socket>()
  #stopped = false

  constructor(behind: LoadServer, seed: number, shares: FaultShares) {
    this.#behind = behind
    this.#seed = seed
    this.#shares = shares
  }

  serve(socket: Socket): void {
    const reader = new CallReader()
    let behind: Socket | undefined
    this.#sockets.add(socket)
    socket.on('data', (bytes: Buffer) => {
      for (const call of reader.push(bytes)) {
        if (behind?.destroyed !== false) behind = undefined
        behind = this.#answer(call, socket, behind)
      }
    })
    // Callers break connections all the time here; 'close' follows.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (this.#waiting.delete(socket)) this.counters.left++
      behind?.destroy()
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** @param behind the connection to the load server, if one is needed */
  #answer(call: VendorCall, socket: Socket, behind: Socket | undefined): Socket | undefined {
    if (call.path.startsWith('/journal')) {
      socket.write(faultAnswers.json(JSON.stringify(this.#journal())))
      return behind
    }
    if (call.path === '/faults/stop') {
      this.#stopped = true
      socket.write(faultAnswers.json('{}'))
      return behind
    }
    this.counters.calls++
    const kind = this.#scheduleOf(call.path.split('/')[1]!).next()
    const { streamed } = call
    if (kind !== undefined) this.counters.faults[kind]++
    if (kind !== undefined && kind !== 'cut') {
      misbehave(kind, socket, streamed)
      return behind
    }
    const left = kind === 'cut' ? cutBytes[streamed ? 'stream' : 'plain'] : Infinity
    return this.#pass(call, socket, behind, left)
  }

  /** A vendor's faults depend only on the seed and its name, not on which vendor is called first. */
  #scheduleOf(vendor: string): FaultSchedule {
    if (this.#stopped) return calm
    let schedule = this.#schedules.get(vendor)
    if (schedule === undefined) {
      const ofName = Buffer.from(vendor).reduce((sum, byte) => sum * 31 + byte, 0)
      schedule = new FaultSchedule(this.#seed + ofName, this.#shares)
      this.#schedules.set(vendor, schedule)
    }
    return schedule
  }

  /** Passes a call on; after this many bytes of the response, resets the caller's connection. */
  #pass(call: VendorCall, socket: Socket, open: Socket | undefined, leftBytes: number): Socket {
    const behind = open ?? connect({ port: this.#behind.port, host: '127.0.0.1', noDelay: true })
    let left = leftBytes
    this.#waiting.add(socket)
    behind.removeAllListeners('data')
    behind.on('data', (bytes: Buffer) => {
      this.#waiting.delete(socket)
      socket.write(bytes.length > left ? bytes.subarray(0, left) : bytes)
      left -= bytes.length
      if (left > 0) return
      behind.destroy()
      // The written bytes must arrive first: an immediate reset would discard them.
      setTimeout(() => socket.resetAndDestroy(), 5)
    })
    if (open === undefined) behind.on('error', () => behind.destroy())
    behind.write(call.bytes)
    return behind
  }

  #journal(): FaultyCounters {
    return { ...this.#behind.counters, ...this.counters, socketsOpen: this.#sockets.size }
  }
}

const calm = new FaultSchedule(0, noShares)

function misbehave(kind: Exclude<FaultKind, 'cut'>, socket: Socket, streamed: boolean): void {
  if (kind === 'hang') return
  if (kind === 'reset') socket.resetAndDestroy()
  else if (kind === 'malformed') socket.write(faultAnswers.malformed[streamed ? 'stream' : 'plain'])
  else socket.write(faultAnswers.refusals[kind])
}

/** @returns the port that it listens on */
export async function startFaultyVendors(
  seed: number,
  shares: FaultShares,
): Promise<{ port: number; vendors: FaultyVendors; close(): Promise<void> }> {
  const behind = await startLoadServer()
  const vendors = new FaultyVendors(behind, seed, shares)
  const server: Server = createServer({ noDelay: true }, (socket) => vendors.serve(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    vendors,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      vendors.close()
      await closed
      await behind.close()
    },
  }
}
