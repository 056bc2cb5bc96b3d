import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { noLimits } from './no-limits.ts'
import { freePort } from './free-port.ts'

const ownMain = join(import.meta.dirname, '../../apps/server/main.js')

/** The gateway as an operator runs it: a process with a configuration file and a folder of its own. */
export class GatewayProcess {
  readonly directory: string
  readonly port: number
  readonly #args: readonly string[]
  readonly #environment: NodeJS.ProcessEnv
  readonly #main: string
  #child: ChildProcess | undefined
  stdout = ''
  stderr = ''

  private constructor(
    directory: string,
    port: number,
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
    main: string,
  ) {
    this.directory = directory
    this.port = port
    this.#args = args
    this.#environment = environment
    this.#main = main
  }

  /**
   * Writes the configuration and starts the gateway. Calling `start` after it has ended keeps its folder and
   * port.
   * @param args of the command line
   * @param environment the complete environment of the process
   * @param main program of another checkout
   */
  static async create(
    input: ConfigurationInput,
    args: readonly string[] = [],
    environment: NodeJS.ProcessEnv = {},
    main: string = ownMain,
  ): Promise<GatewayProcess> {
    const directory = mkdtempSync(join(tmpdir(), 'turnpike-process-'))
    const port = await freePort()
    const server = { ...input.server, port, public_url: `http://127.0.0.1:${port}` }
    writeFileSync(join(directory, 'turnpike.yaml'), stringify({ limits: noLimits, ...input, server }))
    const gateway = new GatewayProcess(directory, port, args, environment, main)
    await gateway.start()
    return gateway
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get demoKey(): string {
    return readFileSync(join(this.directory, '.turnpike/demo_key'), 'utf8').trim()
  }

  get pid(): number {
    return this.#running().pid!
  }

  /** False also if it has ended by itself. */
  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /**
   * Resolves when it reports that it is ready; rejects with its output if it ends before.
   * @param args in place of the ones that it was created with
   */
  async start(args: readonly string[] = this.#args): Promise<void> {
    const child = spawn(process.execPath, [this.#main, ...args], {
      cwd: this.directory,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.stdout = ''
    this.stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        this.stdout += chunk.toString()
        if (this.stdout.includes('is ready at')) resolve()
      })
      child.once('exit', (code) =>
        reject(new Error(`the gateway ended with ${code}: ${this.stdout}${this.stderr}`)),
      )
    })
  }

  /** Sends a signal. Resolves with the exit code, or with null if the signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#running()
    if (this.isRunning) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    this.#child = undefined
    return child.exitCode
  }

  async remove(): Promise<void> {
    if (this.isRunning) await this.end('SIGKILL')
    rmSync(this.directory, { recursive: true, force: true })
  }

  chat(body: object, signal?: AbortSignal): Promise<Response> {
    return this.post('/chat/completions', body, signal)
  }

  /** @param path behind `/v1` */
  post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.origin}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.demoKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  async admin<Body>(path: string): Promise<Body> {
    const secret = readFileSync(join(this.directory, '.turnpike/internal_secret'), 'utf8').trim()
    const response = await fetch(`${this.origin}/api/v1/admin${path}`, {
      headers: { 'x-internal-secret': secret },
    })
    return (await response.json()) as Body
  }

  #running(): ChildProcess {
    if (this.#child === undefined) throw new Error('the gateway is not running')
    return this.#child
  }
}
