export * from './holds/lease-store.ts'
export * from './ledger/ledger-store.ts'
export * from './ledger/ledger.ts'
export * from './money/usd.ts'
