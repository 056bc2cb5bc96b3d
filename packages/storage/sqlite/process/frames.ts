import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

/** Bytes of the length before each message. */
const lengthBytes = 4
/** Larger than any batch of requests. */
const maxFrameBytes = 256 * 1024 * 1024

/** Sends a message, whole and in order. */
export function sendFrame(socket: Socket, message: object): void {
  const body = serialize(message)
  const length = Buffer.allocUnsafe(lengthBytes)
  length.writeUInt32LE(body.length)
  socket.cork()
  socket.write(length)
  socket.write(body)
  socket.uncork()
}

/** Calls `onMessage` with each message that arrives. A socket that sends anything else is destroyed. */
export function readFrames(socket: Socket, onMessage: (message: unknown) => void): void {
  let chunks: Buffer[] = []
  let bytes = 0
  let neededBytes = lengthBytes
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    while (bytes >= neededBytes && !socket.destroyed) {
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)
      const length = all.readUInt32LE()
      const end = lengthBytes + length
      if (length > maxFrameBytes) return void socket.destroy(new RangeError(`a message of ${length} bytes`))
      const isWhole = bytes >= end
      const message = isWhole ? parse(all.subarray(lengthBytes, end)) : undefined
      if (message instanceof Error) return void socket.destroy(message)
      const rest = isWhole ? all.subarray(end) : all
      chunks = [rest]
      bytes = rest.length
      neededBytes = isWhole ? lengthBytes : end
      if (isWhole) onMessage(message)
    }
  })
}

/** Returns the message, or throws if the bytes are not one. */
function parse(bytes: Buffer): unknown {
  try {
    return deserialize(bytes)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
