import { chromium, type Browser } from 'playwright-core'
import { inject } from 'vitest'

/** The machine's own Chromium, for tests that click through pages; undefined if there is none. */
export function findChromium(): string | undefined {
  return inject('chromiumProgram') ?? undefined
}

/** Runs without the browser's own sandbox, which needs rights that root in a container does not have. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
