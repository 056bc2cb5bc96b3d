export { InvalidCursor } from './cursor.ts'
export { openStorage, type DatabaseOptions, type Storage, type StorageOptions } from './open-storage.ts'
export type { Recompute } from './ledger/verify.ts'
export { SqliteOutboxFile, type Durability } from './outbox/sqlite-outbox-file.ts'
