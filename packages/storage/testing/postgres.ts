import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A private PostgreSQL cluster for one run of the tests. */
export interface TestCluster {
  /** Connects as superuser to the database `postgres`. */
  url: string
  stop(): Promise<void>
}

const startTimeoutMs = 30_000

/** Durability is worth nothing here, and costs most of the time. */
const serverSettings = [
  'listen_addresses=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
]

/**
 * A new cluster in a temporary directory, reached through a socket in there: it meets no other server of
 * the machine. `directory` holds the server's programs.
 */
export async function startCluster(directory: string): Promise<TestCluster> {
  const home = mkdtempSync(join(tmpdir(), 'turnpike-postgres-'))
  const owner = unprivilegedUser()
  if (owner !== undefined) chownSync(home, owner.uid, owner.gid)
  const data = join(home, 'data')
  execFileSync(
    join(directory, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...owner, cwd: home, stdio: 'pipe' },
  )
  const settings = [...serverSettings, `unix_socket_directories=${home}`].flatMap((setting) => [
    '-c',
    setting,
  ])
  const server = spawn(join(directory, 'postgres'), ['-D', data, ...settings], {
    ...owner,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await untilReady(server)
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(home)}`,
    async stop() {
      await stopServer(server)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The server refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.')
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    const timer = setTimeout(() => {
      server.kill('SIGKILL')
      reject(new Error(`PostgreSQL did not start in time:\n${log}`))
    }, startTimeoutMs)
    server.stderr!.on('data', (chunk: Buffer) => {
      log += String(chunk)
      if (!log.includes('ready to accept connections')) return
      clearTimeout(timer)
      server.stderr!.removeAllListeners('data').resume()
      resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`PostgreSQL ended with ${code}:\n${log}`))
    })
  })
}

/** SIGINT is its fast shutdown: open connections are closed, not waited for. */
function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}
