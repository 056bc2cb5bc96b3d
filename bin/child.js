import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { gatewayVariables } from './server-program.js'

/** One Ctrl-C arrives twice: from the terminal, and from npm, which passes signals on. Both count as one. */
const sameSignalMs = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
const isWindows = process.platform === 'win32'

/** How often to check whether npm, which started this process, is still running. */
const lookEveryMs = 1000

/**
 * Runs Node with these arguments as if it replaced this process: it shares our input and output, and gets
 * each of our signals once. Returns its exit code, or 128 + n if signal n ended it.
 *
 * `serves` is for the gateway. The terminal's Ctrl-C does not reach it directly, only through us. And it
 * never outlives us: a channel to it closes when we end, however that happens, and then it stops by itself.
 */
export async function runChild(node, args, { cwd, serves }) {
  let child
  const start = () =>
    (child = spawn(node, args, {
      cwd,
      stdio: serves ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
      detached: serves && !isWindows,
      env: {
        ...(serves && gatewayVariables),
        ...environmentFor(node),
        ...(serves && { TURNPIKE_LAUNCHER: String(process.pid) }),
      },
    }))
  const watch = serves ? watchNpm(() => child.kill()) : undefined
  try {
    return await follow(start, node)
  } finally {
    clearInterval(watch)
  }
}

/** Killing `npm start` must stop the gateway. npm passes on all signals except SIGKILL. */
function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined || isWindows) return undefined
  const npm = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    onGone()
  }, lookEveryMs)
  return watch.unref()
}

/**
 * The same, but collects the output, for a step whose output matters only if it fails.
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runQuietly(command, args, { cwd, node, shell = false }) {
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  const start = () => {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentFor(node),
      shell,
    })
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    return child
  }
  const code = await follow(start, command)
  return { code, output: output.trim() }
}

/** Puts our Node first on the path, for tools that look for `node` there. */
function environmentFor(node) {
  const environment = { ...process.env }
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  environment[name] = [dirname(node), environment[name]].filter(Boolean).join(delimiter)
  return environment
}

/**
 * Passes signals on to the child that `start` starts. They are caught from before its start on: one that came
 * right after it would end only this process.
 */
function follow(start, command) {
  return new Promise((resolve, reject) => {
    const lastSentMs = new Map()
    const passOn = (signal) => {
      const nowMs = Date.now()
      if (nowMs - (lastSentMs.get(signal) ?? 0) < sameSignalMs) return
      lastSentMs.set(signal, nowMs)
      // On Windows, sending a signal kills the process, and the console reports Ctrl-C to every process.
      if (!isWindows || signal === 'SIGTERM') child.kill(signal)
    }
    for (const signal of signals) process.on(signal, passOn)
    const child = start()
    const stopPassing = () => {
      for (const signal of signals) process.off(signal, passOn)
    }
    child.once('error', (error) => {
      stopPassing()
      reject(new Error(`${command} could not be started: ${error.message}`))
    })
    child.once('close', (code, signal) => {
      stopPassing()
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
