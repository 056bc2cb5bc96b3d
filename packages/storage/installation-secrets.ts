import { randomBytes } from 'node:crypto'
import type { Database } from './database/database.ts'

/** Secrets that all nodes of an installation share. Each is created when it is first requested. */
export interface InstallationSecrets {
  of(purpose: string): Promise<string>
}

const secretBytes = 32

export function installationSecrets({ write }: Database): InstallationSecrets {
  return {
    async of(purpose) {
      // If several nodes start together, the first one's secret is kept.
      await write
        .insertInto('installation_secrets')
        .values({
          purpose,
          secret: randomBytes(secretBytes).toString('base64url'),
          created_at_ms: Date.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const row = await write
        .selectFrom('installation_secrets')
        .select('secret')
        .where('purpose', '=', purpose)
        .executeTakeFirstOrThrow()
      return row.secret
    },
  }
}
