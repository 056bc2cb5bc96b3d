/** A call to a vendor, as received. */
export interface VendorCall {
  path: string
  streamed: boolean
  bytes: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)

/** Splits a connection's bytes into calls. It trusts its caller, the gateway, to give every body a length. */
export class CallReader {
  #pending: Buffer = nothing

  /**
   * The calls that these bytes complete.
   * @throws {Error} for a chunked body
   */
  push(bytes: Buffer): VendorCall[] {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    const calls: VendorCall[] = []
    for (let call = this.#take(); call !== undefined; call = this.#take()) calls.push(call)
    return calls
  }

  #take(): VendorCall | undefined {
    const end = this.#pending.indexOf(headEnd)
    if (end < 0) return undefined
    const head = this.#pending.toString('latin1', 0, end)
    if (/\r\ntransfer-encoding:/iu.test(head)) throw new Error('a body in chunks is not read here')
    const length = Number(/\r\ncontent-length: *(\d+)/iu.exec(head)?.[1] ?? 0)
    const bodyAt = end + headEnd.length
    if (this.#pending.length < bodyAt + length) return undefined
    const bytes = this.#pending.subarray(0, bodyAt + length)
    this.#pending = this.#pending.subarray(bytes.length)
    const path = head.split(' ', 2)[1] ?? ''
    return { path, streamed: bytes.includes('"stream":true', bodyAt), bytes }
  }
}
