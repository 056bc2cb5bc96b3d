export { parseInputUsage as parseUsage } from '../../answers/input-usage.ts'
