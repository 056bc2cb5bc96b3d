import { inject } from 'vitest'
import { createTestDatabase } from '../../packages/storage/testing/test-database.ts'

/**
 * A database engine that a suite runs on. `create` makes an empty database; `url` is absent for the embedded
 * one.
 */
export interface NodeDatabase {
  engine: 'SQLite' | 'PostgreSQL'
  create: () => Promise<{ url: string | undefined; drop: () => Promise<void> }>
}

/** Both engines; only the embedded one if this machine has no PostgreSQL, which the run has reported. */
export function databases(): NodeDatabase[] {
  const sqlite: NodeDatabase = {
    engine: 'SQLite',
    create: () => Promise.resolve({ url: undefined, drop: () => Promise.resolve() }),
  }
  return inject('postgresUrl') === null
    ? [sqlite]
    : [sqlite, { engine: 'PostgreSQL', create: createPostgres }]
}

async function createPostgres(): Promise<{ url: string | undefined; drop: () => Promise<void> }> {
  const database = await createTestDatabase('postgres')
  const { options } = database
  if (options.engine !== 'postgres') throw new Error('asked for PostgreSQL, got another engine')
  return { url: options.url, drop: () => database.drop() }
}
