import type { Context } from '../context.ts'

/** Everything on standard input. */
export async function readAll({ input, signal }: Context): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of input) {
    signal.throwIfAborted()
    pieces.push(Buffer.from(piece as Uint8Array))
  }
  return Buffer.concat(pieces).toString('utf8')
}
