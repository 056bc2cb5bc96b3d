import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const stopTimeoutMs = 40_000
const shownOutputCharacters = 2_000

/** A process that the benchmark has started. It never ends any other process. */
export interface Child {
  pid: number
  /** Start time, on the clock of `performance.now()`. */
  startedAtMs: number
  /** False once it has ended. */
  running(): boolean
  /** Its latest output, for error messages. */
  output(): string
  /** Resolves with the first output line that matches the pattern. */
  line(pattern: RegExp): Promise<string>
  signal(name: NodeJS.Signals): void
  /** Asks the process to end, and kills it if it does not; resolves once it has ended. */
  stop(): Promise<void>
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))

export function startChild(
  command: string,
  args: readonly string[],
  options: { cwd?: string; environment?: NodeJS.ProcessEnv } = {},
): Child {
  const startedAtMs = performance.now()
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.environment ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let output = ''
  const note = (text: string): void => {
    output = (output + text).slice(-shownOutputCharacters)
  }
  child.stdout.setEncoding('utf8').on('data', note)
  child.stderr.setEncoding('utf8').on('data', note)
  child.on('error', (error) => note(String(error)))
  const ended = once(child, 'close').finally(() => children.delete(child))
  const running = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    pid: child.pid ?? -1,
    startedAtMs,
    running,
    output: () => output,
    line: (pattern) => lineOf(child, pattern, () => output),
    signal: (name) => void child.kill(name),
    async stop() {
      if (running()) child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(late)
    },
  }
}

async function lineOf(child: ChildProcess, pattern: RegExp, output: () => string): Promise<string> {
  for (;;) {
    const line = output()
      .split('\n')
      .slice(0, -1)
      .find((one) => pattern.test(one))
    if (line !== undefined) return line
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${output()}`)
    await delay(10)
  }
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
