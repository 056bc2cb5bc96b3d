import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const startTimeoutMs = 30_000

/** Tests need no durability, which would cost most of the time. */
const fleetingSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

export interface ClusterOptions {
  /** Keeps committed data even if it is killed. */
  durable?: boolean
}

/**
 * A private PostgreSQL cluster in a temporary directory, reached through a socket in there, so that it meets
 * no other server of the machine. It can be stopped, killed and paused, which affects its own processes only.
 */
export class TestCluster {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string
  readonly home: string
  readonly #programs: string
  readonly #settings: readonly string[]
  readonly #owner = unprivilegedUser()
  #server: ChildProcess | undefined
  /** The processes that `pause` has stopped. */
  #paused: number[] = []

  /** `directory` contains the server's programs. */
  constructor(directory: string, { durable = false }: ClusterOptions = {}) {
    this.#programs = directory
    this.home = mkdtempSync(join(tmpdir(), 'turnpike-postgres-'))
    if (this.#owner !== undefined) chownSync(this.home, this.#owner.uid, this.#owner.gid)
    this.url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(this.home)}`
    this.#settings = [
      'listen_addresses=',
      'max_connections=200',
      `unix_socket_directories=${this.home}`,
      ...(durable ? [] : fleetingSettings),
    ]
    execFileSync(
      join(directory, 'initdb'),
      ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
      { ...this.#owner, cwd: this.home, stdio: 'pipe' },
    )
  }

  async start(): Promise<void> {
    const server = spawn(
      join(this.#programs, 'postgres'),
      ['-D', this.#data, ...this.#settings.flatMap((setting) => ['-c', setting])],
      { ...this.#owner, cwd: this.home, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#server = server
    await untilReady(server)
  }

  get pid(): number {
    if (this.#server?.pid === undefined) throw new Error('PostgreSQL does not run')
    return this.#server.pid
  }

  /** SIGINT is its fast shutdown: it closes open connections without waiting for them. */
  stop(): Promise<void> {
    return this.#ended((server) => server.kill('SIGINT'))
  }

  /** Kills the server and all its processes at once. Whatever is not in its log is lost. */
  kill(): Promise<void> {
    return this.#ended((server) => {
      this.#paused = []
      signalAll(haltedProcesses(server.pid!), 'SIGKILL')
    })
  }

  /** Stops all its processes: connections stay open, and nothing responds. */
  pause(): void {
    if (this.#server !== undefined && isRunning(this.#server))
      this.#paused = haltedProcesses(this.#server.pid!)
  }

  resume(): void {
    signalAll(this.#paused.splice(0).toReversed(), 'SIGCONT')
  }

  async remove(): Promise<void> {
    this.resume()
    await this.stop()
    rmSync(this.home, { recursive: true, force: true })
  }

  get #data(): string {
    return join(this.home, 'data')
  }

  async #ended(end: (server: ChildProcess) => void): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined || !isRunning(server)) return
    const exited = once(server, 'exit')
    end(server)
    await exited
  }
}

/** Starts a new cluster. Call `remove` when done. */
export async function startCluster(directory: string, options: ClusterOptions = {}): Promise<TestCluster> {
  const cluster = new TestCluster(directory, options)
  await cluster.start()
  return cluster
}

function isRunning(server: ChildProcess): boolean {
  return server.exitCode === null && server.signalCode === null
}

/** The server comes first, so that it cannot start others meanwhile. */
function haltedProcesses(pid: number): number[] {
  process.kill(pid, 'SIGSTOP')
  const children = childrenOf(pid)
  signalAll(children, 'SIGSTOP')
  return [pid, ...children]
}

/** Each child has a session of its own (PostgreSQL calls `setsid`), so no signal to a group reaches it. */
function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child!)
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A connection's process may end at any moment.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
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
