export * from './catalog.ts'
export * from './model.ts'
