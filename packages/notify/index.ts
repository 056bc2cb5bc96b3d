export * from './events/event.ts'
