import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The machine's Chromium, undefined where there is none, which is said: the pages' tests are skipped then.
 * Nothing is installed for them.
 */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync)
  if (found === undefined)
    process.stderr.write('Chromium was not found (apt-get install chromium): its tests are skipped.\n')
  return found
}
