export { InvalidCursor } from './cursor.ts'
export { openStorage, type DatabaseOptions, type Storage, type StorageOptions } from './open-storage.ts'
export type { Recompute } from './ledger/verify.ts'
export { FileOutboxLog, type Durability } from './outbox/file-outbox-log.ts'
