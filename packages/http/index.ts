export * from './management/idempotency/idempotency-store.ts'
export * from './management/management-api.ts'
export * from './management/services.ts'
export * from './server.ts'
