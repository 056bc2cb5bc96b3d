import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Environment } from '../settings.ts'

/**
 * Opens an address in the user's browser, if there probably is one.
 * @returns whether a browser was started
 */
export async function openBrowser(url: string, environment: Environment): Promise<boolean> {
  const named = environment.BROWSER?.trim()
  if (named === 'none' || environment.CI) return false
  try {
    if (named) {
      const { spawn } = await import('node:child_process')
      return await waitForStart(spawn(named, [url], { detached: true, stdio: 'ignore' }))
    }
    if (process.platform === 'linux' && !hasDisplay(environment)) return false
    const { default: open } = await import('open')
    return await waitForStart(await open(url))
  } catch {
    // The address is printed in any case, so a browser that does not start is no failure.
    return false
  }
}

async function waitForStart(browser: ChildProcess): Promise<boolean> {
  browser.on('error', () => undefined)
  if (browser.pid === undefined) await once(browser, 'spawn')
  browser.unref()
  return true
}

function hasDisplay(environment: Environment): boolean {
  const isWindowsSubsystem = existsSync('/proc/sys/fs/binfmt_misc/WSLInterop')
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY) || isWindowsSubsystem
}
