import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The longest path of a socket on every system (`sun_path`), without its final zero byte. */
const maxPathBytes = 103
const prefix = 'socket-'
const name = 'database'

/** Creates the path on which the database process listens, in a directory that only its owner can access. */
export async function makeSocketPath(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return `\\\\.\\pipe\\turnpike-${randomUUID()}`
  await removeAbandoned(dataDir)
  const path = join(mkdtempSync(join(dataDir, prefix)), name)
  if (Buffer.byteLength(path) <= maxPathBytes) return path
  removeSocketPath(path)
  return join(mkdtempSync(join(tmpdir(), `turnpike-${prefix}`)), name)
}

export function removeSocketPath(path: string): void {
  if (process.platform !== 'win32') rmSync(dirname(path), { recursive: true, force: true })
}

/** Removes the sockets of gateways that were killed: nothing listens there any more. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const folder of readdirSync(dataDir).filter((one) => one.startsWith(prefix))) {
    const path = join(dataDir, folder, name)
    if (!(await isListening(path))) removeSocketPath(path)
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
