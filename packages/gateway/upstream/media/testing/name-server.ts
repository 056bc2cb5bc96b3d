import { createSocket, type Socket } from 'node:dgram'

/** Addresses by name; a name that is not in it does not exist. */
export type Zone = Record<string, { A?: number[][]; AAAA?: number[][] }>

/** Name servers for a test, until it closes them. */
export function nameServers(): {
  nameServer: (zone?: () => Zone) => Promise<{ servers: string[]; asked: string[] }>
  close: () => void
} {
  const open: Socket[] = []
  return {
    nameServer: async (zone) => {
      const { socket, ...rest } = await listen(zone)
      open.push(socket)
      return rest
    },
    close() {
      for (const socket of open.splice(0)) socket.close()
    },
  }
}

/** Starts a name server (RFC 1035); without a zone it never answers. */
async function listen(
  zone: (() => Zone) | undefined,
): Promise<{ socket: Socket; servers: string[]; asked: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.')
    const type = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A'
    asked.push(`${type} ${name}`)
    if (zone === undefined) return
    const known = zone()[name]
    const records = (known?.[type] ?? []).map((bytes) =>
      Buffer.concat([query.subarray(12, at + 5), Buffer.from([0, 0, 0, 0, 0, bytes.length, ...bytes])]),
    )
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt16BE(0, 10)
    const answer = Buffer.concat([head, query.subarray(12, at + 5), ...records])
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { socket, servers: [`127.0.0.1:${socket.address().port}`], asked }
}
