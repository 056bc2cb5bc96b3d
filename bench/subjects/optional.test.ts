import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { litellm } from './litellm.ts'
import { oneApi } from './one-api.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-optional-'))
  vi.stubEnv('PATH', folder)
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

function installProgram(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

test('one-api is measured only if its program is installed', () => {
  expect(oneApi(1)).toBeUndefined()
  installProgram('one-api', 'echo v0.6.10')
  const subject = oneApi(1)!
  expect(subject.description).toMatch(/^one-api v0\.6\.10, on SQLite/u)
  subject.remove!()
})

test('LiteLLM is left out with a sentence if there is no Python', () => {
  expect(litellm(1, join(folder, 'environments'))).toBe('there is no Python 3.10 or later')
})

test("LiteLLM is left out with pip's last message if it cannot be installed", () => {
  // A fake Python that can create environments, but installs no packages into them.
  const scripts = '$3/bin'
  const pip = 'echo Collecting >&2; echo "ERROR: No matching distribution" >&2; exit 1'
  installProgram(
    'python3',
    `[ "$2" = venv ] || exit 0
/bin/mkdir -p "${scripts}"
printf '#!/bin/sh\\n${pip}\\n' > "${scripts}/python"
/bin/chmod +x "${scripts}/python"`,
  )
  expect(litellm(1, join(folder, 'environments'))).toBe(
    'it could not be installed: ERROR: No matching distribution',
  )
})
