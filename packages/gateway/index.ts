export * from './exchange.ts'
export * from './metering/request-record.ts'
export * from './metering/stores.ts'
export * from './upstream/client.ts'
