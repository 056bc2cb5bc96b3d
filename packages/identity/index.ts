export * from './accounts/account-store.ts'
export * from './accounts/account.ts'
export * from './api-keys/api-key-store.ts'
export * from './api-keys/api-key.ts'
