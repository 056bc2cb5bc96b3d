export { formatInputUsage as formatPricedUsage } from '../../answers/input-usage.ts'
