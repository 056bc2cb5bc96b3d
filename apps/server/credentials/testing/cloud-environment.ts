import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

/** The environment variables that the clouds' SDKs read. */
const ofClouds =
  /^(AWS_|GOOGLE_|GCE_|GCLOUD_|CLOUDSDK_|METADATA_|AZURE_|IDENTITY_|MSI_|https?_proxy$|HTTPS?_PROXY$)/

/**
 * Sets an environment without any cloud but what `variables` contains, and a home directory without the
 * clouds' files.
 * @returns the home directory, and a function that restores everything
 */
export function cloudEnvironment(variables: Record<string, string> = {}): { home: string; end(): void } {
  const home = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
  for (const name of Object.keys(process.env)) if (ofClouds.test(name)) vi.stubEnv(name, undefined)
  vi.stubEnv('HOME', home)
  vi.stubEnv('AWS_CONFIG_FILE', join(home, 'config'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(home, 'credentials'))
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  return {
    home,
    end() {
      vi.unstubAllEnvs()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
