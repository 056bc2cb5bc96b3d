import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The machine's own Chromium, for tests that press buttons; undefined where there is none, which is said. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync)
  if (found === undefined)
    process.stderr.write(
      'Chromium was not found (apt-get install chromium): the tests in a browser are skipped.\n',
    )
  return found
}

/** The sandbox of the browser itself needs rights that root in a container does not have. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
