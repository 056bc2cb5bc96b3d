import type { Environment } from '../settings.ts'
import { noProgress, startProgress, type Progress } from '../terminal/progress.ts'
import { screenOf, type Screen } from '../terminal/screen.ts'

export interface OutputStreams {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

/** stdout has only the result; everything else goes to stderr. */
export class Output {
  readonly isJson: boolean
  readonly #streams: OutputStreams
  readonly #environment: Environment
  readonly #clock: () => number

  constructor(streams: OutputStreams, environment: Environment, isJson: boolean, clock: () => number) {
    this.#streams = streams
    this.#environment = environment
    this.isJson = isJson
    this.#clock = clock
  }

  /** The screen of stdout. */
  get screen(): Screen {
    return screenOf(this.#streams.stdout, this.#environment, this.#clock())
  }

  /** The screen of stderr. */
  get messages(): Screen {
    return screenOf(this.#streams.stderr, this.#environment, this.#clock())
  }

  /** stdout itself, for a command that speaks a protocol on it. */
  get protocol(): NodeJS.WriteStream {
    return this.#streams.stdout
  }

  /** Where questions are asked. */
  get prompts(): NodeJS.WriteStream {
    return this.#streams.stderr
  }

  write(text: string): void {
    this.#streams.stdout.write(text)
  }

  /** One JSON value: on one line for programs, indented for people. */
  json(value: object): void {
    this.write(`${JSON.stringify(value, null, this.screen.isTerminal ? 2 : 0)}\n`)
  }

  /** One of several JSON values, always on one line. */
  line(value: object): void {
    this.write(`${JSON.stringify(value)}\n`)
  }

  /** A line for people; omitted with JSON output. */
  say(line: string): void {
    if (!this.isJson) this.insist(line)
  }

  /** A line on stderr that must be seen, even with JSON output. */
  insist(line: string): void {
    this.#streams.stderr.write(`${line}\n`)
  }

  done(line: string): void {
    this.say(`${this.messages.style.green('✓')} ${line}`)
  }

  warn(line: string): void {
    this.say(`${this.messages.style.yellow('!')} ${line}`)
  }

  /** Shows progress while waiting, on a terminal. */
  progress(text: string): Progress {
    const isShown = !this.isJson && this.#streams.stderr.isTTY && this.#environment.TERM !== 'dumb'
    return isShown ? startProgress(this.#streams.stderr, text) : noProgress
  }
}
