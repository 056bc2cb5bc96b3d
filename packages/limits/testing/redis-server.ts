import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tests/nodes/free-port.ts'

const programs = ['valkey-server', 'redis-server'] as const
const startTimeoutMs = 15_000

/** The path of Redis or Valkey on this machine; undefined if there is none. */
export function findRedis(): string | undefined {
  return programs.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)
}

/**
 * A private server on a port of its own, which stores nothing and can be halted, killed and started again.
 */
export class RedisServer {
  readonly url: string
  readonly #program: string
  readonly #port: number
  readonly #password: string
  readonly #home = mkdtempSync(join(tmpdir(), 'turnpike-redis-'))
  #server: ChildProcess | undefined

  private constructor(program: string, port: number, password: string) {
    this.#program = program
    this.#port = port
    this.#password = password
    this.url = `redis://default:${encodeURIComponent(password)}@127.0.0.1:${port}/3`
  }

  static async start(program: string): Promise<RedisServer> {
    const server = new RedisServer(program, await freePort(), 'word/of a test')
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const settings = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--dir', this.#home]
    const server = spawn(this.#program, [...settings, '--requirepass', this.#password], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#server = server
    await untilReady(server)
  }

  get pid(): number {
    if (this.#server?.pid === undefined) throw new Error('Redis does not run')
    return this.#server.pid
  }

  pause(): void {
    this.#server?.kill('SIGSTOP')
  }

  resume(): void {
    this.#server?.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#home, { recursive: true, force: true })
  }
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    const timer = setTimeout(() => server.kill('SIGKILL'), startTimeoutMs)
    server.stdout!.on('data', (chunk: Buffer) => {
      log += String(chunk)
      if (!/ready to accept connections/i.test(log)) return
      clearTimeout(timer)
      server.stdout!.removeAllListeners('data').resume()
      resolve()
    })
    server.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`Redis ended with ${code}:\n${log}`))
    })
  })
}
