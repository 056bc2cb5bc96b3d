import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'

/** One Ctrl-C reaches us from the terminal and again from npm, which passes signals on: both are one wish. */
const sameSignalMs = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
const isWindows = process.platform === 'win32'

/** How often it is looked whether npm, which started us, is still there. */
const lookEveryMs = 1000

/**
 * Runs Node with these arguments in our place: with our input and output, our signals passed on to it
 * once each, until it ends. Answers its exit code, 128 + n where a signal ended it.
 *
 * `serves` is for the gateway. The terminal's Ctrl-C is kept off it: it hears of it from us alone. And it is
 * never left behind: a channel to it closes with us, however we end, and then it stops by itself.
 */
export async function runChild(node, args, { cwd, serves }) {
  const child = spawn(node, args, {
    cwd,
    stdio: serves ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: serves && !isWindows,
    env: { ...environmentFor(node), ...(serves && { TURNPIKE_LAUNCHER: String(process.pid) }) },
  })
  const watch = serves ? watchNpm(() => child.kill()) : undefined
  try {
    return await follow(child, node)
  } finally {
    clearInterval(watch)
  }
}

/** Whoever kills `npm start` means the gateway. npm passes signals on, but for the one that it cannot see. */
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
 * The same with its output kept, for a step whose output matters only where it fails.
 *
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runQuietly(command, args, { cwd, node, shell = false }) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentFor(node),
    shell,
  })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await follow(child, command)
  return { code, output: output.trim() }
}

/** Tools that look for `node` on the path find the one that we run. */
function environmentFor(node) {
  const environment = { ...process.env }
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  environment[name] = [dirname(node), environment[name]].filter(Boolean).join(delimiter)
  return environment
}

function follow(child, command) {
  return new Promise((resolve, reject) => {
    const lastSentMs = new Map()
    const passOn = (signal) => {
      const nowMs = Date.now()
      if (nowMs - (lastSentMs.get(signal) ?? 0) < sameSignalMs) return
      lastSentMs.set(signal, nowMs)
      // On Windows a signal sent is a kill, while the console tells every process of Ctrl-C itself.
      if (!isWindows || signal === 'SIGTERM') child.kill(signal)
    }
    for (const signal of signals) process.on(signal, passOn)
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
