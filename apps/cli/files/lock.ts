import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDirectory } from './directory.ts'
import { fileFailure, isMissing } from './file-failure.ts'

/** Longer than any work under a lock takes, so an older lock's process has ended. */
const staleAfterMs = 60_000
const patienceMs = 90_000
const pauseMs = 50

/** Does the work while no other process does, on this machine or on another that shares the folder. */
export async function withLock<Result>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  await ensureDirectory(dirname(path))
  const mark = `${hostname()} ${process.pid} ${crypto.randomUUID()}`
  const until = Date.now() + patienceMs
  while (!(await tryTakeLock(path, mark))) {
    if (Date.now() > until) throw fileFailure(new Error('another process holds the lock'), path, 'made')
    await removeStale(path)
    await sleep(pauseMs, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function tryTakeLock(path: string, mark: string): Promise<boolean> {
  try {
    await writeFile(path, mark, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw fileFailure(error, path, 'made')
  }
}

/** Removes the lock of a process that has ended: exactly one of the waiting processes does so. */
async function removeStale(path: string): Promise<void> {
  const mark = await staleMark(path)
  if (mark === undefined) return
  const aside = `${path}.${process.pid}.${crypto.randomUUID()}`
  try {
    await rename(path, aside)
    // Between the check and the removal another process may have replaced the lock; that one is restored.
    if ((await readFile(aside, 'utf8')) !== mark) await link(aside, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw fileFailure(error, path, 'removed')
  } finally {
    await rm(aside, { force: true })
  }
}

/** The mark in a stale lock; undefined if the lock is held, or gone. */
async function staleMark(path: string): Promise<string | undefined> {
  try {
    const [mark, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const [host, pid] = mark.split(' ')
    const isAbandoned = host === hostname() && /^\d+$/.test(pid ?? '') && !isAlive(Number(pid))
    return isAbandoned || Date.now() - mtimeMs > staleAfterMs ? mark : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw fileFailure(error, path, 'read')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
