export * from './tier.ts'
