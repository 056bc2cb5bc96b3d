export { errorStatus, formatError } from '../../answers/openai-errors.ts'
