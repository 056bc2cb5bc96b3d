import { PriceFileError } from '@turnpike/vendors'
import type { Configuration } from './configuration/configuration.ts'
import { SecretFileError } from './credentials/secret-file.ts'

/** Explains why a node or its data could not be opened, and what to do about it. */
export function reasonNotOpened(
  error: unknown,
  { dataDir, databaseUrl }: Pick<Configuration, 'dataDir' | 'databaseUrl'>,
): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SecretFileError) return `a secret cannot be read: ${message}`
  if (error instanceof PriceFileError) return `the prices cannot be read: ${message}`
  const locked = /database is locked|using the outbox/.test(message)
  if (locked) return `another gateway is using ${dataDir}: each gateway needs its own data_dir`
  if (isOfFolder(error))
    return (
      `the data folder ${dataDir} cannot be created or written (${error.code}): ` +
      'set data_dir to a folder that this user can write'
    )
  const database = databaseUrl === null ? `the data in ${dataDir}` : 'the database'
  return `${database} cannot be opened: ${message}`
}

const folderErrors: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
])

function isOfFolder(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = error as NodeJS.ErrnoException
  return (syscall === 'mkdir' || syscall === 'mkdtemp' || syscall === 'open') && folderErrors.has(code)
}
