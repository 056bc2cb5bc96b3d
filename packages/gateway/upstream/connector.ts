import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector as undici } from 'undici'
import { buildConnector } from './undici.ts'

/** The most bytes of one read; longer data comes in several. */
const readBytes = 64 * 1024
/** Hosts whose TLS session is kept, to be resumed by the next connection. */
const maxSessions = 100

/**
 * undici's own connector with two changes:
 *
 * - All connections read into one buffer, of which each read is copied. Node by itself allocates 64 KB for
 *   each read and gives most of it back, which costs more than the copy. One buffer is enough because a read
 *   and its callback are one step of the event loop; Node's HTTP server shares one in the same way.
 * - The connect phase leaves no error listener: it would keep its timeout and address in memory as long as
 *   the connection lives.
 *
 * `onread`: https://nodejs.org/api/net.html#new-netsocketoptions
 */
export function connector(options: undici.BuildOptions): undici.connector {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const sessions = new Map<string, Buffer>()
  return (target, callback) => {
    const host = `${target.hostname}:${target.port}`
    const isSecure = target.protocol === 'https:'
    let connection: Socket | undefined
    const connect = buildConnector({
      ...options,
      // A connector keeps sessions for its own connections only, and this one makes one.
      maxCachedSessions: 0,
      ...(isSecure ? { session: sessions.get(host) } : {}),
      onread: {
        buffer,
        // A vendor's first byte follows the connect phase, so the connection is known.
        callback: (length) => connection?.push(copyOf(buffer, length)) ?? false,
      },
    })
    connect(target, (...result) => {
      connection = result[1] ?? undefined
      // The callback adds its own error listener before it returns.
      connection?.removeAllListeners('error')
      if (isSecure && connection !== undefined) keepSessions(connection as TLSSocket, host, sessions)
      callback(...result)
    })
  }
}

function copyOf(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length)
  buffer.copy(copy, 0, 0, length)
  return copy
}

/** @param sessions by host and port, the oldest first */
function keepSessions(connection: TLSSocket, host: string, sessions: Map<string, Buffer>): void {
  const keep = (session: Buffer): void => {
    sessions.delete(host)
    sessions.set(host, session)
    if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value!)
  }
  const session = connection.getSession()
  // In TLS 1.3 the server sends its sessions later, in TLS 1.2 within the handshake.
  if (connection.getProtocol() === 'TLSv1.2' && session !== undefined) keep(session)
  connection.on('session', keep)
}
