import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const pollMs = 200
/** Longer than any installation takes; a lock older than this was left behind. */
const staleMs = 30 * 60_000

/**
 * Runs `work` while no other process holds the lock file. The lock of a process that is gone is taken
 * over; `onWait` is called once where another process is at work.
 */
export async function withLock(file, work, onWait) {
  mkdirSync(dirname(file), { recursive: true })
  let waited = false
  while (!tryLock(file)) {
    if (!waited) onWait()
    waited = true
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isLeftBehind(file)) moveAway(file)
  return false
}

function isLeftBehind(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    const ageMs = Date.now() - statSync(file).mtimeMs
    if (ageMs > staleMs) return true
    // An empty file is a lock whose holder has not written its number yet.
    return pid > 0 ? !isAlive(pid) : ageMs > 5_000
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

/** Renamed before it is removed: of two processes that find the same stale lock only one can. */
function moveAway(file) {
  const away = `${file}.${process.pid}`
  try {
    renameSync(file, away)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  rmSync(away, { force: true })
}

/** Whether a process has this number. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
