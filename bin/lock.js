import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const pollMs = 200
/** Longer than any installation takes; an older lock was left behind. */
const staleMs = 30 * 60_000

/**
 * Runs `work` while no other process holds the lock file. Takes over the lock of a process that no longer
 * exists. Calls `onWait` once if another process holds the lock.
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
    // An empty file is a lock whose holder has not written its process ID yet.
    return pid > 0 ? !isAlive(pid) : ageMs > 5_000
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

/** Renames before it removes: if two processes find the same stale lock, only one of them can rename it. */
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

/** Whether a process with this ID exists. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
