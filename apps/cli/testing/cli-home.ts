import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuiltProgram } from './program.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface EndedWithJson<Value> extends Ended {
  value: Value
}

export interface Options {
  env?: Record<string, string>
  stdin?: string
}

/** A user's home on a machine, and `turnpike` run in it as a process of its own. */
export class CliHome {
  readonly directory = mkdtempSync(join(tmpdir(), 'turnpike-cli-'))
  /** The gateway's address, or the server that has it once it has started. */
  readonly server: string | { readonly origin: string }
  readonly #program: string
  readonly #node: string

  /** @param node the Node that runs the program */
  constructor(server: CliHome['server'], program: Pick<BuiltProgram, 'path'>, node = process.execPath) {
    this.server = server
    this.#program = program.path
    this.#node = node
  }

  /** The folder of the credentials and the cached key. */
  get files(): string {
    return join(this.directory, 'turnpike')
  }

  path(name: string): string {
    return join(this.files, name)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  write(name: string, text: string): void {
    writeFileSync(this.path(name), text)
  }

  start(words: string[], { env = {}, stdin }: Options = {}): Running {
    const child = spawn(this.#node, [this.#program, ...words], {
      cwd: this.directory,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.directory,
        TURNPIKE_CONFIG_DIR: this.files,
        TURNPIKE_API_URL: typeof this.server === 'string' ? this.server : this.server.origin,
        BROWSER: 'none',
        ...env,
      },
    })
    // A process that ends early does not read what is still written to it.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin ?? '')
    return new Running(child)
  }

  run(words: string[], options: Options = {}): Promise<Ended> {
    return this.start(words, options).ended
  }

  /** With `--json`: parses stdout, which must be a single JSON value. */
  async json<Value>(words: string[], options: Options = {}): Promise<EndedWithJson<Value>> {
    const ended = await this.run([...words, '--json'], options)
    return { ...ended, value: JSON.parse(ended.stdout) as Value }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** A running process, whose output can be awaited. */
export class Running {
  stdout = ''
  stderr = ''
  readonly ended: Promise<Ended>
  readonly #child: ChildProcessWithoutNullStreams
  readonly #watchers = new Set<() => void>()

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    child.stdout.on('data', (piece: Buffer) => this.#note(() => (this.stdout += piece.toString())))
    child.stderr.on('data', (piece: Buffer) => this.#note(() => (this.stderr += piece.toString())))
    this.ended = new Promise((resolve) => {
      child.once('close', (code) => {
        resolve({ code, stdout: this.stdout, stderr: this.stderr })
        this.#note(() => undefined)
      })
    })
  }

  /** Resolves with the match once the output has one; rejects if the process ends without. */
  async seen(pattern: RegExp, stream: 'stdout' | 'stderr' = 'stderr'): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[stream])
      if (match !== null) return match
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`ended without ${String(pattern)}: ${this.stdout}${this.stderr}`)
      }
      await new Promise<void>((resolve) => this.#watchers.add(resolve))
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  #note(change: () => void): void {
    change()
    for (const resolve of this.#watchers) resolve()
    this.#watchers.clear()
  }
}
