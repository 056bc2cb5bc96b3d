export * from './built-in/openai.ts'
export * from './catalog.ts'
export * from './model.ts'
