import { chromium, type Browser } from 'playwright-core'
import { inject } from 'vitest'

/** The machine's own Chromium, for tests that press buttons; undefined where there is none. */
export function findChromium(): string | undefined {
  return inject('chromiumProgram') ?? undefined
}

/** The sandbox of the browser itself needs rights that root in a container does not have. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
